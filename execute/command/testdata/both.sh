#!/bin/sh
./rank sum 7 | grep -qx 28 && ./rank clamp 4 0 3 | grep -qx 3
