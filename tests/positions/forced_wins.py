"""Positions in which a good player must find something forced, each explained by the rules and checked by the oracles.

Most were composed by hand around an idea; the last five wins and the last five parries of Cartagena were found by
random search with the oracle and explained afterwards. `best` of Cartagena is the oracle's list, `best` of Les Évadés
was written down first and then confirmed.
"""

from typing import Literal, NamedTuple

Kind = Literal["win", "parry", "settle", "hold"]


class Task(NamedTuple):
    """A position with everything in it, the first actions that do what its kind asks, and why by the rules.

    win: the seat wins in this turn by cards that it can see.
    parry: after some turns the next seat can win in its own by cards that all can see, after others not.
    settle: the game ends in this turn with every pawn still under way in the boat the seat bet, whatever is thrown.
    hold: all else ends the game in this turn with every pawn still under way in a wrong boat.
    """

    position: str
    kind: Kind
    best: tuple[str, ...]
    why: str


CARTAGENA = [
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 31.34.37.37.37.37/0.12.21.29.33.37 HKP/BDSS "
        "DBKSHPSB PDSPBKBPSBKKSH B11D14H14K12P12S10 1:1:33",
        "win",
        ("K31>37",),
        "K boards from 31 only over the own pirate on 34, the last K (C8); that one follows by P, as no P "
        "lies ahead of it.",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 25.28.37.37.37.37/0.12.17.30.33.37 KKP/BDHS "
        "DBKSHPSB SHPKKHDHPPPBHD B13D13H11K12P11S13 1:0:41",
        "win",
        ("K25>34", "K28>34"),
        "30 is taken, so the first K fills 34, the last free one: the second K boards and P boards from 34 (C8).",
    ),
    Task(
        "tortuga KBSDHP/HDKBPS/BPHSDK/SHPKBD/DSBPKH/BSHDKP "
        "33.36.37.37.37.37/9.21.29.31.32.37/0.18.24.25.30.37 P/DHS/BK HSDKBDPB KPSHBKBPHHSKSS "
        "B12D14H12K12P13S11 1:0:52",
        "win",
        ("33<32",),
        "33<32 takes the H (C9, C15) and keeps the own pirate on 36: P boards over it, then H boards from 36 (C8).",
    ),
    Task(
        "hispaniola KBSDHP/HDKBPS/BPHSDK/SHPKBD/DSBPKH/BSHDKP "
        "0.9.21.29.33.37/33.36.37.37.37.37/0.18.24.25.32.37 DHS/-/BK HBPDKB KHSHKBKDBDSDPB "
        "B11D12H13K12P15S14 2:0:47",
        "win",
        ("36<33",),
        "33 holds two, one of them an own pirate: 36<33 takes H and B (C9), and both board from 33, the last H (C8).",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.11.20.22.26.36/31.37.37.37.37.37 BHS/D SKBSPH "
        "KBSDDHKPKHBDBS B12D13H13K13P15S12 2:0:40",
        "win",
        ("37<36",),
        "From the boat back to 36 for the S (C10, C15): D boards from 36, S from 31, which must not be left "
        "before (C8).",
    ),
    Task(
        "tortuga SPBKDH/PKDHSB/KDSHPB/DBKPHS/PHDSBK 29.31.31.31.31.31/0.14.22.26.27.31/0.5.9.18.25.31 "
        "-/BDHS/BP KPDBSHD BDKPBSBSSKBSPD B10D12H15K14P13S11 1:0:61",
        "win",
        ("29<27",),
        "The row's head K reaches only 30; a second retreat, 27<26, takes the P, which boards since 25 is "
        "behind (C9, C15).",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH "
        "0.12.28.32.33.33/35.37.37.37.37.37/0.7.20.26.32.33 BHP/-/DK HBSDKP HKBDSBHPHPHSPD "
        "B13D13H11K14P12S14 2:1:47",
        "win",
        ("35<32",),
        "34 is empty and 33 full, so 35 goes back to the two on 32 for H and B (C9); B boards over 33, H "
        "would stop on 36.",
    ),
    Task(
        "hispaniola BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH "
        "0.6.6.24.35.37/30.37.37.37.37.37/0.9.14.22.29.37/0.3.11.27.28.37 DHS/BDHKS/BK/P SPKBDD "
        "DKPPKPDKHBPHBD B12D10H13K11P11S14 2:2:50",
        "win",
        ("D30>37",),
        "One action is left, and each symbol lies once ahead of 30: only the D on 35 is taken, so only D boards (C8).",
    ),
    Task(
        "jamaica KBSDHP/HDKBPS/BPHSDK/SHPKBD/DSBPKH/BSHDKP 31.33.35.37.37.37/0.9.21.22.29.37/0.6.18.24.25.30 "
        "DHK/BPPS/BHHS - SBBBPSSDPHDDPP B12D13H13K16P11S12 1:0:43",
        "win",
        ("H31>37", "H33>37", "K31>37"),
        "H boards from 31 only over 33, K only over 35 (C8): K33 or D35 first opens a space, and a pirate "
        "stays behind.",
    ),
    Task(
        "jamaica+pirates=3 PKDHSB/KDSHPB/HKPBSD 12.14.19/4.6.19 DHKP/BBS - HHHBHSSHBDHPSD B13D14H10K16P15S13 1:1:15",
        "win",
        ("K12>19",),
        "K boards from 12 over the own pirate on 14, which follows by H, the last H being behind; H first "
        "opens 14 (C8, C14).",
    ),
    Task(
        "first-escape+pirates=8 BPHSDK/DBKPHS/HKPBSD/KBSDHP/PKDHSB/HDKBPS/KDSHPB/DSBPKH "
        "0.17.20.38.41.47.49.49/42.46.49.49.49.49.49.49/0.12.23.36.39.45.49.49 BBD/K/HPS PSSBKDHP "
        "KBSPSKPHPBDHBD B12D14H14K14P12S13 2:0:71",
        "win",
        ("42<41",),
        "42<41 fetches the P (C9, C15), K boards over 47 and P from 46 or over it; 46<45 would leave P the "
        "free 46 (C8).",
    ),
    Task(
        "first-escape BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 34.37.37.37.37.37/5.19.20.32.32.33 -/BDKS "
        "DHPKBSHB SHHBDSSPDPHDKK B14D13H13K14P15S13 1:0:37",
        "win",
        ("34<33",),
        "Drawing gives up the turn (C13): 34<33 takes D, 33<32 takes H and P from two pirates (C9), and P "
        "boards from 32.",
    ),
    Task(
        "hispaniola KBSDHP/HDKBPS/BPHSDK/SHPKBD/DSBPKH/BSHDKP "
        "0.12.18.21.33.37/0.9.17.22.29.37/30.34.37.37.37.37/0.2.14.24.28.33/0.4.13.26.27.37 BD/KP/S/DPP/HK "
        "HBKSDPPD KBSKKBHSPHDPHD B13D11H12K11P10S13 3:0:58",
        "win",
        ("34<33",),
        "34<33 takes H and B from two pirates (C9): H boards from 30 over 33, B from 33; 30<29 would open "
        "the H on 30 (C8).",
    ),
    Task(
        "jamaica BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH "
        "0.8.25.26.32.37/24.37.37.37.37.37/0.14.20.21.22.37/0.11.17.23.27.32 DK/BHKS/PP/BDH - SHKDPBDSHBHBPS "
        "B12D13H12K14P13S13 2:1:66",
        "win",
        ("H24>36",),
        "H jumps the taken 26 to 36, from where every card boards; no other card gets past the last space of "
        "a second (C8).",
    ),
    Task(
        "jamaica+pirates=4 PKDHSB/KDSHPB/HKPBSD 0.19.19.19/2.7.16.19 KKPS/BDD - PBHKHSBSDBDKDH "
        "B13D12H14K13P15S14 1:1:21",
        "win",
        ("K0>14",),
        "K jumps the taken 2 and 7 to 14, the last K, and the next K boards: from the prison home in two actions (C8).",
    ),
    Task(
        "tortuga+most-actions=5 HDKBPS/BPHSDK/DSBPKH/SHPKBD 17.18.25.25.25.25/21.22.22.24.24.25 -/DP "
        "HSPPPKSD SDDDPHBDPKPBKK B15D11H15K13P10S14 1:0:25",
        "win",
        ("25<24",),
        "25<24 and 24<22 bring H, S, P, P (C9, C10); P boards from 17 and 18 over 21, H or S from 22: all "
        "five actions.",
    ),
    Task(
        "tortuga+most-actions=5 HDKBPS/BPHSDK/DSBPKH/SHPKBD 19.23.25.25.25.25/1.9.11.21.23.23 -/BHKP "
        "DPSKPDKB DSKKHSKPSKPPHP B15D14H14K10P10S13 1:0:35",
        "win",
        ("23<21",),
        "23<21 takes D, which lifts a pirate to 24 only to go back to the two on 23 for P and S, and both "
        "board (C8, C9).",
    ),
    Task(
        "tortuga+most-actions=4 SPBKDH/PKDHSB/KDSHPB/DBKPHS/PHDSBK "
        "22.23.31.31.31.31/4.9.15.18.22.29/1.9.12.26.28.29 KS/HKK/DDPP PHPKPHBB HPSSPHBDBSDDDP "
        "B13D11H12K13P9S13 1:0:46",
        "win",
        ("K22>30",),
        "K goes past 29 to 30 only to go back to the two on 29 for P and H (C9): H boards from 23 over 26, P "
        "or S from 29.",
    ),
    Task(
        "first-escape+pirates=4 PKDHSB/KDSHPB/HKPBSD 14.18.19.19/14.16.16.19 D/K DBPBDDHD DPSHPPSSBPKDPS "
        "B15D11H16K16P12S14 1:0:45",
        "win",
        ("D14>19",),
        "D boards from 14 over the own pirate on 18, which then goes back to the two on 16 for D and B; B "
        "boards (C8, C9).",
    ),
    Task(
        "tortuga+boat-retreat=off BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH "
        "29.30.37.37.37.37/14.18.31.32.33.37 BK/BDD PBHDHPKB KSHDHBBPDPPPDH B11D11H12K14P11S16 1:0:41",
        "win",
        ("30<29",),
        "The boat is closed (C10), and 29<18 goes too far back: 30<29 takes P, and B and P board over 33 and "
        "32 (C8, C9).",
    ),
    Task(
        "tortuga KBSDHP/HDKBPS/BPHSDK/SHPKBD/DSBPKH/BSHDKP 0.15.24.30.35.37/29.32.33.37.37.37 BHS/BKK "
        "DPSHDBKP BDSHSKPPHPPSDP B13D13H13K13P10S12 1:2:45",
        "parry",
        ("B35>37", "H35>37", "S35>37", "35<33"),
        "Seat 2 boards two pirates by K only over 35, the last K (C8): the pirate there must leave with the "
        "last action.",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.12.19.27.33.37/31.36.37.37.37.37 DK/P SDHBPDSD "
        "HHDBPHDHSBDPDB B13D9H12K16P13S14 1:2:39",
        "parry",
        ("19<12", "27<19", "33<31", "37<36"),
        "Seat 2 goes 36<33 for the S, then P33 and S31 board (C9, C15): whoever retreats now takes the S from the row.",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.7.21.26.30.30/34.37.37.37.37.37 BS/- HDPKBSHD "
        "HHHHDBPDDSPDHS B14D11H10K16P14S13 1:2:43",
        "parry",
        ("B30>33", "S30>31", "30<26"),
        "Seat 2 draws H and D from the two on 30, goes to 36 and home (C8, C9): one of the two must leave, "
        "so that he draws only one.",
    ),
    Task(
        "first-escape-open BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.10.22.24.31.32/33.36.37.37.37.37 P/K "
        "BSHKPDDK PPHSBBHPBBHDHP B13D15H13K15P12S16 1:2:41",
        "parry",
        ("P0>2", "P10>13", "P22>25", "P24>25", "P31>37", "P32>37", "."),
        "Seat 2 boards by K36 and fetches a card by 33<32: the row's B cannot board from there, the S after "
        "it can, so the head must not be taken now (C9, C15).",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.7.26.30.30.34/34.37.37.37.37.37 D/- HDHDPKBS "
        "PBBDBSSPDKDBSB B11D11H15K15P14S13 1:2:43",
        "parry",
        ("D30>35", "30<26", "34<30"),
        "Seat 2 draws H and D from the two on 30, goes to 36 and home: one of them leaves, or a third fills "
        "the space (C9).",
    ),
    Task(
        "tortuga BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 15.27.29.33.36.36/30.32.33.37.37.37 DS/HHP "
        "HSDHBDHSDD DBBBKKSPKBKBPS B11D11H12K13P14S12 1:1:39",
        "parry",
        ("D36>37", "S36>37", "36<33"),
        "Seat 2 boards H, H and P only over 36, the last H (C8): both pirates on it must leave with the two "
        "actions left.",
    ),
    Task(
        "jamaica+hands=open+row=6 HDKBPS/BPHSDK/DSBPKH/SHPKBD 19.19.21.21.25.25/18.18.25.25.25.25 BP/BPP "
        "DPBHHH HHSBDKPBHBDBDP B10D13H11K16P11S16 1:1:43",
        "parry",
        ("P21>25", "21<19"),
        "Seat 2 goes B18>23 and boards P, P over 21 (C8): both pirates must leave 21, and not for 23, where "
        "B would board.",
    ),
    Task(
        "tortuga SPBKDH/PKDHSB/KDSHPB/DBKPHS/PHDSBK 21.24.26.26.29.30/1.21.24.24.29.31/28.30.31.31.31.31 "
        "B/BHP/- PHHSHHBS KKKDDDBSHPDPBS B12D13H11K14P13S13 2:1:56",
        "parry",
        ("29<28",),
        "Seat 3 takes P and H from the two on 26 and boards both: 29<28 takes the P, 28<26 takes both H and "
        "fills the space; 24 is full too, and what 28<21 brings does not board (C9).",
    ),
    Task(
        "tortuga SPBKDH/PKDHSB/KDSHPB/DBKPHS/PHDSBK 11.25.28.30.30.31/13.25.26.27.27.29/22.28.31.31.31.31 "
        "S/-/BD DDBKSDPS PHSPHHPHKBKBDD B13D11H13K14P13S13 2:1:38",
        "parry",
        ("29<28",),
        "Seat 3 boards B22 over 29 and D28 (C8): 29<28 opens 29, and one must leave 27 by D, or 28<27 brings "
        "B and K (C9).",
    ),
    Task(
        "first-escape-open+pirates=4 PKDHSB/KDSHPB/HKPBSD 11.13.16.19/15.17.19.19 P/H KPPHSHPH "
        "HHBSKKSPDKKSDH B17D16H11K13P13S14 1:0:47",
        "parry",
        ("13<11", "16<15"),
        "Seat 2 boards by H15 and needs a card from 17<16: K, P and H would board. Three retreats take them "
        "all and fill 11, so that the row's S is left, which 17<15 only brings to 17 again (C8, C9).",
    ),
]

EVADES = [
    Task(
        "evades 26:d,27:o,#1:br,#2:yl,#3:n br.yl.on.d/yo.rn.bd.l d4o3 - 1:31",
        "settle",
        ("o>#3",),
        "Both dice reach a boat and boat 3 has one place: o first takes it, and d, the last one, goes to "
        "boat 4 (G9, G10).",
    ),
    Task(
        "evades 2:n,5:y,#1:bl,#2:do,#3:r rl.on.yd.b/bl.do.rn.y/bd.on.yl.r n3w4 - 2:38",
        "settle",
        ("y<1",),
        "Of the last two, y back on 1 takes boat 4 and n boat 3 (G10); n first would land on y and block it (G6).",
    ),
    Task(
        "evades 5:yn,#1:ro,#2:bd,#3:l br.yd.on.l/bl.do.yn.r/bd.ro.ln.y n3w6 - 3:36",
        "settle",
        ("n>8",),
        "y is under n (G6): n goes on by its die, then the white die takes y to 1 and boat 4 (G10); n<1 "
        "would be n's boat 4.",
    ),
    Task(
        "evades 3:o,20:l,28:b,#1:ry,#2:dn ry.dn.bl.o/on.ld.by.r/ln.rd.by.o/yl.bd.ro.n b2w2 - 1:41",
        "settle",
        ("b>#3",),
        "G10 counts only the last two: b boards first, then o<1 puts o in boat 4 and l in boat 3; o<1 at "
        "once wastes the die.",
    ),
    Task(
        "evades 2:n,17:o,27:r,28:y,#1:bl,#2:d ln.yo.br.d/bl.rd.yo.n r3y2w1 - 2:28",
        "settle",
        ("r>#2",),
        "r must have the last place in boat 2, then y boat 3 (G9), and with two left n<1 settles boats 3 and 4 (G10).",
    ),
    Task(
        "evades+length=20 3:o,4:n,16:b,19:l,#1:rd,#2:y "
        "bo.ln.ry.d/rd.yl.bo.n/lo.br.yd.n/rd.yl.bn.o/rl.on.by.d b5l2w3 - 4:34",
        "settle",
        ("l>#2",),
        "l takes the last place in boat 2, b goes to boat 3 (G9), and of the two left the white die takes o, "
        "not n, to 1 (G10).",
    ),
    Task(
        "evades+count-jumped=off 27:l,28:n,#1:by,#2:ro,#3:d by.ro.ld.n/on.ld.br.y/bo.ld.ry.n l2n1 - 1:40",
        "settle",
        ("l>#3",),
        "Without counting occupied spaces l goes over 28 to 29 and 30, into boat 3 (G6); if n moves first, l "
        "stops on 29.",
    ),
    Task(
        "evades 29:ry,#1:bl,#2:on,#3:d rn.yd.bo.l/bl.on.rd.y - - 2:44",
        "settle",
        ("roll:rw",),
        "r is under y: only the white die lifts y off for certain, and r then boards with any number (G6, G8, G9).",
    ),
    Task(
        "evades 2:bd,#1:yn,#2:ro,#3:l yn.ro.ld.b/yo.rn.bd.l/by.ld.ro.n/yo.dn.rl.b/by.ld.ro.n - - 1:41",
        "settle",
        ("roll:dw",),
        "d goes on by its die and uncovers b, which any white number takes from 2 to 1: boat 4 (G6, G8, G10).",
    ),
    Task(
        "evades 2:o,15:r,#1:by,#2:ld,#3:n rn.yo.bd.l/ro.bn.yd.l/by.ld.rn.o - - 3:42",
        "settle",
        ("roll:rw", "roll:ow"),
        "Any white number takes o from 2 to 1, which is boat 4, and r gets boat 3 (G10): all that matters is "
        "to throw it.",
    ),
    Task(
        "evades 28:o,29:bl,#1:rn,#2:yd ry.bn.ld.o/rn.yd.bl.o - - 2:32",
        "settle",
        ("roll:bl",),
        "l, then b, both board from 29 with any number and fill boat 3, so that o is the last one (G9, G10).",
    ),
    Task(
        "evades 2:d,12:n,29:y,#1:bl,#2:ro bl.ro.yn.d/yo.bl.rn.d/ro.ld.yn.b - - 1:43",
        "settle",
        ("roll:yw",),
        "y boards from 29 with any number, and of the two left any white number takes d from 2 to 1 (G9, G10).",
    ),
    Task(
        "evades 2:r,14:b,29:dl,#1:yo,#2:n bn.ld.yo.r/yo.ln.bd.r/yd.bn.lo.r/ld.yo.rn.b - - 2:34",
        "settle",
        ("roll:ldw",),
        "From 29 l boards boat 2 and then d boat 3 with any numbers; then any white number takes r from 2 to "
        "1 (G9, G10).",
    ),
    Task(
        "evades 4:y,6:n,#1:bl,#2:ro,#3:d bl.ro.yd.n/br.ld.on.y/rn.yd.bo.l w5 d+ 1:52",
        "settle",
        ("n<1",),
        "The white die takes either of the last two to 1: n<1 gives n boat 4 and y boat 3 as bet, y<1 the "
        "contrary (G10).",
    ),
    Task(
        "evades+length=24 22:ln,#1:rd,#2:by,#3:o br.ld.on.y/by.rd.lo.n l2w1 - 2:40",
        "settle",
        ("n<21",),
        "l is blocked: n back by 1 frees it (G6, G8), and l boards boat 3, n boat 4; leaving the die decides nothing.",
    ),
    Task(
        "evades+length=15 5:r,13:o,#1:bd,#2:yn,#3:l do.rn.yl.b/yl.dn.br.o/ro.bl.yd.n/bd.yn.lo.r r6w4 - 4:20",
        "settle",
        ("r<1",),
        "A pawn moved forward may not go back (G8): r<1 at once gives r boat 4 and o boat 3, the die of r "
        "lapses (G7, G10).",
    ),
    Task(
        "evades 0:b,3:n,#1:yl,#2:rd,#3:o yl.rd.bo.n/yo.br.ln.d b3w2 - 1:37",
        "settle",
        ("n<1",),
        "n<1 gives n boat 4 and b, still at the window, boat 3 (G10); b>3 first would land on n and block it (G6).",
    ),
    Task(
        "evades 22:y,24:n,#1:do,#2:bl,#3:r rd.lo.by.n/rd.yo.bl.n/ld.bo.rn.y/bl.ro.yd.n/bo.dn.yl.r/bl.do.rn.y "
        "y2n6 - 6:36",
        "settle",
        ("n>#3",),
        "n boards boat 3 and leaves y the last (G9, G10); y first would land on n, whose die would lapse (G6, G7).",
    ),
    Task(
        "evades+length=36 5:d,33:o,#1:by,#2:ln,#3:r by.ln.ro.d/rd.bo.yn.l/bn.ro.yl.d o3w4 - 1:49",
        "settle",
        ("o>#3", "d<1"),
        "o boards boat 3, or d<1 sends o there at once (G9, G10); only o<29 lets the win out of hand.",
    ),
    Task(
        "evades 5:o,27:l,#1:rn,#2:bd,#3:y rn.bd.yo.l/dn.yl.ro.b l3w4 - 1:45",
        "hold",
        ("l<23",),
        "l>#3 and o<1 (G10) both give l boat 3 and o boat 4, the contrary of the bet; after l<23 the die of "
        "l lapses (G7, G8).",
    ),
    Task(
        "evades 25:o,27:d,#1:bl,#2:yn,#3:r ln.yo.rd.b/bl.ry.do.n/bl.yn.ro.d d3o2 - 3:39",
        "hold",
        ("o>27",),
        "d must not board, but must move while it is free (G7): o>27 lands on it, and its die lapses (G6).",
    ),
    Task(
        "evades 1:y,4:r,#1:dn,#2:lo,#3:b yo.bd.rn.l/dn.lo.br.y/bd.ry.on.l w6 y+ 2:29",
        "hold",
        (".",),
        "Of the last two, r<1 would be r's boat 4 (G10) and y on 1 cannot go back (G8): the white die stays unused.",
    ),
    Task(
        "evades 6:bo,#1:ln,#2:ry,#3:d rl.yd.on.b/bd.yn.ro.l/rd.by.on.l/ln.ry.do.b w5 d+ 4:36",
        "hold",
        (".",),
        "b is blocked by o (G6), and o<1 would give o boat 4 and b boat 3 (G10): the white die stays unused.",
    ),
    Task(
        "evades+count-jumped=off 26:b,28:l,#1:ry,#2:dn,#3:o ry.dn.lo.b/rn.yd.bl.o b3w5 - 1:33",
        "hold",
        ("b<21", "l<23"),
        "b>#3 gives l boat 4: b goes back, or l, so that b counts 27, 28, 29 and stops short of the boat (G6, G8).",
    ),
]

FORCED = CARTAGENA + EVADES
