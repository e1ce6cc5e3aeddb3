#define LOSS 1
#define DUPS 0
#define QSZ 2
#define M 4
#define W 2
mtype = { red, white, blue, ack, sync, sync_ack }
chan up_in[2]  = [QSZ] of { byte, byte };
chan up_out[2] = [QSZ] of { byte, byte };
chan wire[2]   = [QSZ] of { byte, byte };
proctype fc(chan s2f, f2d, f2s, d2f)
{	bool busy[M];
	byte q; byte m; byte s; byte win; byte type;
	bit  rcvd[M]; bit x;
	byte p;
	byte ibuf[M], obuf[M];
	xr s2f; xs f2d; xs f2s; xr d2f;
end:	do
	:: atomic {
		(win < W && nempty(s2f) && nfull(f2d)) ->
		s2f?type,x;
		win = win + 1;
		busy[s] = true;
		obuf[s] = type;
		f2d!type,s;
		if
		:: (type != sync) -> s = (s+1)%M
		:: (type == sync) ->
			win = 0;
			s = M;
			do
			:: (s > 0) -> s = s-1; busy[s] = false
			:: (s == 0) -> break
			od
		fi
	   }
	:: atomic { (win > 0 && busy[q] == false) -> win = win - 1; q = (q+1)%M }
#if DUPS
	:: atomic { (nfull(f2d) && win > 0 && busy[q] == true) -> f2d!obuf[q],q }
#endif
	:: atomic { (timeout && nfull(f2d) && win > 0 && busy[q] == true) -> f2d!obuf[q],q }
#if LOSS
	:: d2f?type,m
#endif
	:: d2f?type,m ->
		if
		:: atomic { (type == ack) -> busy[m] = false }
		:: atomic {
			(type == sync) ->
			m = 0;
			do
			:: (m < M) -> rcvd[m] = 0; m = m+1
			:: (m == M) -> break
			od
		   };	f2d!sync_ack,0
		:: (type == sync_ack) -> f2s!sync_ack,0
		:: (type != ack && type != sync && type != sync_ack) ->
			if
			:: atomic {
				(rcvd[m] == true) ->
				x = ((0<p-m && p-m<=W) || (0<p-m+M && p-m+M<=W)) };
				if
				:: (x) -> f2d!ack,m
				:: (!x)
				fi
			:: atomic {
				(rcvd[m] == false) ->
				ibuf[m] = type;
				rcvd[m] = true;
				rcvd[(m-W+M)%M] = false
			   }
			fi
		fi
	:: (rcvd[p] == true && nfull(f2s) && nfull(f2d)) ->
		f2s!ibuf[p],0;
		f2d!ack,p;
		p = (p+1)%M
	od
}
proctype sender(chan s2f, f2s0)
{	byte st;
	byte type, tog;
	xs s2f; xr f2s0;
	s2f!sync,tog;
	do
	:: f2s0?sync_ack,type ->
		if
		:: (type != tog)
		:: (type == tog) -> break
		fi
	:: timeout -> s2f!sync,tog
	od;
	tog = 1 - tog;
end:	do
	:: s2f!white,0
	:: atomic { (st == 0 && nfull(s2f)) -> s2f!red,0 -> st = 1 }
	:: atomic { (st == 1 && nfull(s2f)) -> s2f!blue,0 -> st = 2 }
	od
}
proctype receiver(chan f2s1)
{	byte unused;
	xr f2s1;
	do
	:: f2s1?white,0
	:: f2s1?red,0 -> break
	:: f2s1?blue,0 -> assert(0)
	od;
	do
	:: f2s1?white,0
	:: f2s1?red,0 -> assert(0)
	:: f2s1?blue,0 -> goto end
	od;
end:	do
	:: f2s1?white,0
	:: f2s1?red,0 -> assert(0)
	:: f2s1?blue,0 -> assert(0)
	od
}
init {	atomic {
		run fc(up_in[0], wire[1], up_out[0], wire[0]);
		run fc(up_in[1], wire[0], up_out[1], wire[1]);
		run sender(up_in[0], up_out[0]);
		run receiver(up_out[1])
	}
}
