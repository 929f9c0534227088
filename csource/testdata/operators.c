/* A line that begins with //@ says what is found on the line of code above it:
   its column, what lies there, and the text. */
int twice(int);

int arithmetic(int a, int b, double x) {
	int c = a   +   b * 2, d;
	//@ 6 initializer =: c = a + b * 2
	//@ 14 binary +: a + b * 2
	//@ 20 binary *: b * 2
	//@ 10 identifier: a
	//@ 2 stmt declaration 0: int c = a + b * 2, d;
	d = (a) - b % 3;
	//@ 4 assignment =: d = (a) - b % 3
	//@ 10 binary -: (a) - b % 3
	//@ 14 binary %: b % 3
	c <<= a >> 1;
	//@ 4 compound-assignment <<=: c <<= a >> 1
	//@ 10 binary >>: a >> 1
	c = - a + ~ b + !d;
	//@ 6 unary -: - a
	//@ 12 unary ~: ~ b
	//@ 18 unary !: !d
	c++; --d;
	//@ 3 postfix ++: c++
	//@ 7 prefix --: --d
	x = x / (double)c + 2.5;
	//@ 8 binary /: x / (double)c
	//@ 10 cast (): (double)c
	//@ 22 float: 2.5
	d = a < b && b != c || a >= 'x';
	//@ 8 binary <: a < b
	//@ 12 logical &&: a < b && b != c
	//@ 17 binary !=: b != c
	//@ 22 logical ||: a < b && b != c || a >= 'x'
	//@ 30 char: 'x'
	d = a ? b : c, x = 1;
	//@ 6 conditional ?:: a ? b : c
	//@ 15 comma ,: d = a ? b : c, x = 1
	c = twice(twice(a) | 1) ^ a & b;
	//@ 6 call (): twice(twice(a) | 1)
	//@ 12 call (): twice(a)
	//@ 21 binary |: twice(a) | 1
	//@ 26 binary ^: twice(twice(a) | 1) ^ a & b
	//@ 30 binary &: a & b
	return c /* the
	            result */ + d;
	//@ 24 binary +: c + d
	//@ 24 stmt return 0: return c + d;
}
