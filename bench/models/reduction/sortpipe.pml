#define N 7
#define CAP 10
chan q[N] = [CAP] of { byte };
proctype source(chan out)
{	byte sent, v;
	xs out;
	sent = 0; v = 15;
	do
	:: out!v ->
		sent = sent + 1;
		if
		:: sent == N -> break
		:: sent != N -> skip
		fi;
		v = (v * 3 + 14) % 100
	od
}
proctype stage(chan in, out; byte nr)
{	byte todo, mine, got;
	xs out; xr in;
	todo = N - nr;
	in?mine;
	do
	:: todo > 0 ->
		in?got;
		if
		:: got >= mine -> out!got
		:: got <  mine -> out!mine; mine = got
		fi;
		todo = todo - 1
	:: todo == 0 -> break
	od
}
proctype sink(chan in) { byte top; xr in; in?top }
init {	byte k = 1;
	atomic {
		run source(q[0]);
		do
		:: k < N -> run stage(q[k-1], q[k], k); k = k + 1
		:: k == N -> break
		od;
		run sink(q[N-1])
	}
}
