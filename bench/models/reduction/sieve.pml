#define LIMIT 25
mtype = { num, stop };
chan feed = [0] of { mtype, int };
proctype filter(chan src; int p)
{	chan nxt = [0] of { mtype, int };
	bool linked;
	int v;
	printf("prime %d\n", p);
end:	do
	:: src?num(v) ->
		if
		:: (v % p) == 0 -> printf("%d = %d * %d\n", v, p, v/p)
		:: else ->
			if
			:: !linked -> linked = true; run filter(nxt, v)
			:: else -> nxt!num(v)
			fi
		fi
	:: src?stop(0) -> break
	od;
	if
	:: linked -> nxt!stop(0)
	:: else
	fi
}
init {	int v = 2;
	run filter(feed, v);
	do
	:: (v < LIMIT) -> v++; feed!num(v)
	:: (v >= LIMIT) -> feed!stop(0); break
	od
}
