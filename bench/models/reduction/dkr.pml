#define N 5
#define START 3
#define CAP 10
mtype = { one, two, won };
chan ring[N] = [CAP] of { mtype, byte };
byte leaders = 0;
proctype station(chan in, out; byte id)
{	bit active_st = 1, informed = 0;
	byte x, best = id, left;
	xr in; xs out;
	printf("id %d\n", id);
	out!one(id);
end:	do
	:: in?one(x) ->
		if
		:: active_st ->
			if
			:: x != best -> out!two(x); left = x
			:: else -> assert(x == N); informed = 1; out!won,x
			fi
		:: else -> out!one(x)
		fi
	:: in?two(x) ->
		if
		:: active_st ->
			if
			:: left > x && left > best -> best = left; out!one(left)
			:: else -> active_st = 0
			fi
		:: else -> out!two(x)
		fi
	:: in?won,x ->
		if
		:: x != id -> printf("lost\n")
		:: else -> printf("leader\n"); leaders++; assert(leaders == 1)
		fi;
		if
		:: informed
		:: else -> out!won,x
		fi;
		break
	od
}
init {	byte k;
	atomic {
		k = 1;
		do
		:: k <= N -> run station(ring[k-1], ring[k%N], (N+START-k)%N+1); k++
		:: k > N -> break
		od
	}
}
