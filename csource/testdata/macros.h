#pragma once
#define HEADER(x) ((x) + 7)
static int from_header(int v) {
	return v * 3;
	//@ 11 binary *: v * 3
	//@ 2 stmt return 0: return v * 3;
}
