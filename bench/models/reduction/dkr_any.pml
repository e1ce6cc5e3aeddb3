#define N 5
#define CAP 10
mtype = { one, two, won };
chan ring[N] = [CAP] of { mtype, byte };
byte leaders = 0;
byte nxt_id;
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
			:: else -> informed = 1; out!won,x
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
	byte slot[6];
	atomic {
		nxt_id = 1;
		do
		:: nxt_id <= N ->
			if
			:: slot[0] == 0 && N >= 1 -> slot[0] = nxt_id
			:: slot[1] == 0 && N >= 2 -> slot[1] = nxt_id
			:: slot[2] == 0 && N >= 3 -> slot[2] = nxt_id
			:: slot[3] == 0 && N >= 4 -> slot[3] = nxt_id
			:: slot[4] == 0 && N >= 5 -> slot[4] = nxt_id
			:: slot[5] == 0 && N >= 6 -> slot[5] = nxt_id
			fi;
			nxt_id++
		:: nxt_id > N -> break
		od;
		k = 1;
		do
		:: k <= N -> run station(ring[k-1], ring[k%N], slot[k-1]); k++
		:: k > N -> break
		od
	}
}
