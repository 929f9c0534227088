int seen;

static int control(int n, int m) {
	if (n < m && n)
	//@ 6 condition: n < m && n
	//@ 2 stmt if 0: if (n < m && n) n = 1; else if (m) { seen++; }
		n = 1;
		//@ 5 assignment =: n = 1
		//@ 3 stmt expression 1: n = 1;
	else if (m) {
	//@ 7 stmt if 1: if (m) { seen++; }
		seen++;
		//@ 7 stmt expression 2: seen++;
	}
	for (int i = 0; i < n; i++) {
	//@ 11 stmt declaration 1: int i = 0;
	//@ 20 binary <: i < n
	//@ 26 postfix ++: i++
		while (m --> 0)
		//@ 12 postfix --: m --
		//@ 14 binary >: m --> 0
			if (m == 3) continue; else break;
			//@ 16 stmt continue 3: continue;
			//@ 31 stmt break 3: break;
	}
	do { m += 2; } while (m < 10);
	//@ 9 compound-assignment +=: m += 2
	//@ 7 stmt expression 1: m += 2;
	//@ 26 binary <: m < 10
	switch (m) {
	//@ 10 condition: m
	case 4:
	//@ 2 stmt case 1: case 4: n = 2;
		n = 2;
		break;
		//@ 3 stmt break 1: break;
	default: ;
	//@ 11 stmt empty 1: ;
	}
	if (n) goto out;
	//@ 9 stmt goto 1: goto out;
	n = ({ int t = m; t * 2; });
	//@ 22 binary *: t * 2
	//@ 6 statement-expression: ({ int t = m; t * 2; })
	//@ 20 stmt expression 0: t * 2;
	n = n ?: m;
	//@ 6 conditional ?:: n ?: m
out:
	return n > m;
	//@ 11 binary >: n > m
	//@ 2 stmt return 0: return n > m;
}

int old(a, b)
	int a, b;
{
	return control(a, b) == 0;
	//@ 23 binary ==: control(a, b) == 0
}
