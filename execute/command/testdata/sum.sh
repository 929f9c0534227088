#!/bin/sh
test "$(./rank sum 4)" = 10
