package concrete_test

import "testing"

// What a program does is known where it is the same at any time.
func TestWhatDependsOnTheTimeIsAGuess(t *testing.T) {
	for body, guesses := range map[string]bool{
		"srand(time(NULL)); printf(\"%d\", 7);":                                                                                                                false,
		"srand(time(NULL)); printf(\"%d\", rand() % 1000);":                                                                                                    true,
		"srand(time(NULL)); for (int i = 0; i < 50; i++) if (rand() % 2 > 1) puts(\"never\");":                                                                 false,
		"time_t now; time(&now); printf(\"%d\", now > 0);":                                                                                                     false,
		"time_t now; time(&now); return now % 251;":                                                                                                            true,
		"clock_t from = clock(); puts(\"work\"); fprintf(stderr, \"%ld\", (long)(clock() - from));":                                                            false,
		"clock_t from = clock(); printf(\"%f s\", (double)(clock() - from) / CLOCKS_PER_SEC);":                                                                 true,
		"clock_t from = clock(); return clock() - from > 5 * CLOCKS_PER_SEC;":                                                                                  false,
		"return (time(NULL) & 1) == 0 ? *(volatile int *)0 : 0;":                                                                                               true,
		"int k = time(NULL) % 10, a[10] = {0}; for (int i = 0; i < 10; i++) a[(i + k) % 10] = i; int s = 0; for (int i = 0; i < 10; i++) s += a[i]; return s;": false,
	} {
		if p := pathOf(t, body); p.Guessed != guesses || !p.Returned && !p.Trapped {
			t.Errorf("%s: guessed is %v, want %v; returned is %v", body, p.Guessed, guesses, p.Returned)
		}
	}
}
