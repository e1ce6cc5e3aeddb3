/** Shapes that are hard by their data: wide records, atomic sequences over them, large arrays, clocks. */

/** `n` stations with mailboxes of `d` bytes and routing tables that never change, polled by a master that copies frames in one step. */
export const fieldBus = (n: number, d: number): string => `
#define N ${n}
#define D ${d}
mtype = { none, telegram };
typedef Frame { mtype kind; byte from; byte to; byte data[D] };
typedef Station { Frame out; Frame in; byte route[N]; byte rank; byte group };
Station station[N];
byte turn;

inline clear(frame)
{	frame.from = 0;
	frame.to = 0;
	i = 0;
	do
	:: i < D -> frame.data[i] = 0; i++
	:: else -> break
	od;
	i = 0;
	frame.kind = none
}

proctype node(byte me)
{	byte i;
	do
	:: atomic {
		station[me].out.kind == none ->
		if
		:: station[me].out.to = station[me].route[1]
		:: station[me].out.to = station[me].route[2]
		fi;
		station[me].out.from = me;
		station[me].out.data[me] = station[me].rank;
		station[me].out.data[D - 1] = station[me].out.to + 1;
		station[me].out.kind = telegram
	   }
	:: d_step {
		station[me].in.kind == telegram ->
		assert(station[me].in.to == me && station[me].in.data[D - 1] == me + 1);
		clear(station[me].in)
	   }
	od
}

proctype master()
{	byte i, to;
	do
	:: atomic {
		station[turn].out.kind == telegram ->
		to = station[turn].out.to;
		if
		:: d_step {
			station[to].in.kind == none ->
			station[to].in.from = turn;
			station[to].in.to = to;
			i = 0;
			do
			:: i < D -> station[to].in.data[i] = station[turn].out.data[i]; i++
			:: else -> break
			od;
			station[to].in.kind = telegram;
			clear(station[turn].out)
		   }
		:: else
		fi;
		to = 0
	   };
		turn = (turn + 1) % N
	:: station[turn].out.kind == none -> turn = (turn + 1) % N
	od
}

init
{	byte i, j;
	d_step {
		do
		:: i < N ->
			station[i].out.kind = none;
			station[i].in.kind = none;
			station[i].rank = 10 + i;
			station[i].group = i / 2;
			j = 0;
			do
			:: j < N -> station[i].route[j] = (i + j) % N; j++
			:: else -> break
			od;
			i++
		:: else -> break
		od;
		i = 0;
		j = 0
	};
	atomic {
		do
		:: i < N -> run node(i); i++
		:: else -> break
		od;
		i = 0;
		run master()
	}
}
`;

/** `n` clients that move coins between accounts, choosing all along an atomic sequence; the sum never changes. */
export const transfers = (n: number, accounts: number, coins: number): string => `
#define N ${n}
#define A ${accounts}
#define C ${coins}
byte account[A];
byte waiting[N];

inline choose(index)
{	index = 0;
	do
	:: index < A - 1 -> index++
	:: break
	od
}

inline audit()
{	d_step {
		sum = 0;
		i = 0;
		do
		:: i < A -> sum = sum + account[i]; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N -> sum = sum + waiting[i]; i++
		:: else -> break
		od;
		assert(sum == C);
		i = 0;
		sum = 0
	}
}

proctype client(byte me)
{	byte from, to, amount, i, sum;
	do
	:: atomic {
		choose(from);
		account[from] > 0;
		do
		:: account[from] > 0 -> account[from]--; amount++
		:: amount > 0 -> break
		od;
		waiting[me] = amount;
		amount = 0
	   };
		atomic {
			choose(to);
			to != from ->
			account[to] = account[to] + waiting[me];
			waiting[me] = 0;
			from = 0;
			to = 0
		};
		audit()
	od
}

init
{	byte i;
	atomic {
		account[0] = C;
		do
		:: i < N -> run client(i); i++
		:: else -> break
		od;
		i = 0
	}
}
`;

/** A cart that pushes crates over a walled square: one process, one large array. */
export const warehouse = (side: number, crates: number): string => `
#define W ${side + 2}
#define CELLS ${(side + 2) ** 2}
#define FREE 0
#define WALL 1
#define CRATE 2
byte cell[CELLS];
byte cart;

inline move(step)
{	if
	:: cell[cart + step] == FREE -> cart = cart + step
	:: cell[cart + step] == CRATE && cell[cart + 2 * (step)] == FREE ->
		d_step {
			cell[cart + 2 * (step)] = CRATE;
			cell[cart + step] = FREE;
			cart = cart + step
		}
	fi
}

active proctype driver()
{	byte i;
	d_step {
		do
		:: i < W ->
			cell[i] = WALL;
			cell[CELLS - W + i] = WALL;
			cell[i * W] = WALL;
			cell[i * W + W - 1] = WALL;
			i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < ${crates} -> cell[(2 + i / 2) * W + 2 + 2 * (i % 2)] = CRATE; i++
		:: else -> break
		od;
		i = 0;
		cart = W + 1
	};
	do
	:: atomic { move(1) }
	:: atomic { move(-1) }
	:: atomic { move(W) }
	:: atomic { move(-W) }
	od
}
`;

/** `n` machines whose phases last between two clock values; one process lets time pass for all of them in one step. */
export const timers = (n: number, most: number): string => `
#define N ${n}
#define MOST ${most}
mtype = { off, warming, running, cooling };
mtype phase[N];
byte clock[N], limit[N];
byte runners;

inline enter(next, bound)
{	phase[me] = next;
	clock[me] = 0;
	limit[me] = bound
}

proctype machine(byte me)
{
	do
	:: atomic { phase[me] == off && runners < N - 1 -> runners++; enter(warming, MOST) }
	:: atomic { phase[me] == warming && clock[me] >= 1 -> enter(running, MOST + 1) }
	:: atomic { phase[me] == running && clock[me] >= 2 -> enter(cooling, MOST - 1) }
	:: atomic { phase[me] == cooling && clock[me] >= 1 -> enter(off, 0); runners-- }
	od
}

proctype time()
{	byte i;
	do
	:: d_step {
		i = 0;
		do
		:: i < N && (phase[i] == off || clock[i] < limit[i]) -> i++
		:: else -> break
		od;
		if
		:: i == N ->
			i = 0;
			do
			:: i < N ->
				if
				:: phase[i] != off -> clock[i]++
				:: else
				fi;
				i++
			:: else -> break
			od
		:: else
		fi;
		i = 0
	   }
	od
}

init
{	byte i;
	atomic {
		do
		:: i < N -> phase[i] = off; run machine(i); i++
		:: else -> break
		od;
		i = 0;
		run time()
	}
}
`;
