#!/bin/sh
# Expected to fail.
exit 1
