byte turn[N], level[N], inside;          /* N given on the command line */
active [N] proctype P()
{	byte j, k;
again:	k = 0;
	do
	:: k < N-1 ->
		level[_pid] = k;
		turn[k] = _pid;
		j = 0;
		do
		:: j == _pid -> j++
		:: j != _pid ->
			if
			:: j < N -> (level[j] < k || turn[k] != _pid); j++
			:: j >= N -> break
			fi
		od;
		k++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	level[_pid] = 0;
	goto again
}
