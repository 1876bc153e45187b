using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 6 of the pile: updates in place from every kind and size to every other, with and without
/// hints; objects, links, bytes and the walk over all objects are exact after each.</summary>
[Trait("Case", "pile-6")]
public sealed class InPlaceMatrixTests(ITestOutputHelper output)
{
    private static readonly int[] Sizes = [0, 1, 8, 9, 16, 100, 504, 505, 4096, 20_000, 262_142, 262_144, 400_000];

    [Theory]
    [InlineData(0, false)]
    [InlineData(1000, false)]
    [InlineData(0, true)]
    [InlineData(300_000, true)]
    public void Update_FromEveryFormToEveryOther_KeepsCountersAndWalkExact(int room, bool hasTimeToLive)
    {
        using var pile = Piles.Create();
        var forms = Sizes.SelectMany(size => Enum.GetValues<PileObjectKind>().Select(kind => (kind, size))).ToArray();
        var hints = new PutHints { RoomBytes = room, TimeToLive = hasTimeToLive ? TimeSpan.FromDays(1) : null };
        var updates = 0;
        foreach (var (firstKind, firstSize) in forms)
        {
            // The larger sizes take long; each meets every size, and some kinds.
            var step = firstSize > 100_000 ? 5 : 1;
            for (var i = updates % step; i < forms.Length; i += step)
            {
                var first = Make(firstKind, firstSize);
                var pointer = pile.Put(first, hints);
                var slot = SlotBytes(pile.SizeOf(pointer), room, hasTimeToLive);
                Check(pile, pointer, first, slot, hasTimeToLive);
                var second = Make(forms[i].kind, forms[i].size);
                pile.Put(pointer, second);
                Check(pile, pointer, second, slot, hasTimeToLive);
                pile.Put(pointer, first);
                Check(pile, pointer, first, slot, hasTimeToLive);
                Assert.True(pile.Delete(pointer));
                Piles.CheckEmpty(pile);
                Assert.Empty(Walk(pile));
                updates += 2;
            }
        }

        PileChecks.AllSlotsAreFree(pile);
        output.WriteLine($"{updates:N0} updates among {forms.Length} forms, room {room:N0}, time to live {hasTimeToLive}");
    }

    [Theory]
    [InlineData(0, 100)]
    [InlineData(10, 20_000)]
    [InlineData(100, 262_143)]
    [InlineData(100, 1_000_000)]
    public void Put_WithRoom_GrowsWhereItIsUpToThere(int size, int room)
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(Piles.Payload(1, size), new PutHints { RoomBytes = room });
        for (var next = size; next <= room; next += Math.Max(1, (room - size) / 7))
        {
            pile.Put(pointer, Piles.Payload((ulong)next, next));
            Assert.Equal(0, pile.GetStatistics().Links);
            Assert.True(Piles.IsPayload(pile.GetBytes(pointer), (ulong)next));
        }

        var beyond = SlotBytes(size, room, hasTimeToLive: false);
        pile.Put(pointer, Piles.Payload(2, (int)beyond));
        Assert.Equal(1, pile.GetStatistics().Links);
        pile.Put(pointer, Piles.Payload(3, room));
        Assert.Equal(0, pile.GetStatistics().Links);
        Assert.True(pile.Delete(pointer));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Update_WithRoom_KeepsTheBodyUpToThere()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[10]);
        pile.Put(pointer, Piles.Payload(1, 12), new PutHints { RoomBytes = 50_000 });
        var body = Body(pile, pointer);
        foreach (var size in (int[])[17, 3, 40_000, 50_000, 20_000])
        {
            pile.Put(pointer, Piles.Payload((ulong)size, size));
            Assert.True(Piles.IsPayload(pile.GetBytes(pointer), (ulong)size));
            if (size > 16)
                Assert.Equal(body, Body(pile, pointer));
            else
                pile.Put(pointer, new byte[10], new PutHints { RoomBytes = 50_000 });
            body = Body(pile, pointer);
        }

        Assert.Equal((1, 1), (pile.GetStatistics().Objects, pile.GetStatistics().Links));
        Assert.True(pile.Delete(pointer));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    private static object Make(PileObjectKind kind, int size) => kind switch
    {
        PileObjectKind.Bytes => Piles.Payload((ulong)size, size),
        PileObjectKind.Latin1 => string.Create(size, size, static (text, seed) => Fill(text, 'ÿ', seed)),
        PileObjectKind.Utf16 => string.Create((size / 2) + 1, size, static (text, seed) => Fill(text, 'ж', seed)),
        _ => new Stored { Number = size, Data = Piles.Payload((ulong)size, size) },
    };

    private static void Fill(Span<char> text, char first, int seed)
    {
        for (var i = 0; i < text.Length; i++)
            text[i] = i == 0 ? first : (char)('a' + ((i + seed) % 26));
    }

    private static void Check(LocalPile pile, PilePointer pointer, object expected, long slot, bool hasTimeToLive)
    {
        switch (expected)
        {
            case byte[] bytes:
                Assert.Equal(bytes, pile.GetBytes(pointer));
                break;
            case string text:
                Assert.Equal(text, pile.GetString(pointer));
                break;
            default:
                var graph = pile.Get<Stored>(pointer);
                Assert.Equal(((Stored)expected).Number, graph.Number);
                Assert.Equal(((Stored)expected).Data, graph.Data);
                break;
        }

        var size = pile.SizeOf(pointer);
        var links = Form(0, hasTimeToLive).BytesFor(size) > slot ? 1 : 0;
        var statistics = pile.GetStatistics();
        Assert.Equal((1, links, size), (statistics.Objects, statistics.Links, statistics.LiveBytes));
        var met = Assert.Single(Walk(pile));
        Assert.Equal((pointer, size), (met.Pointer, met.Length));
    }

    private static List<PileObject> Walk(LocalPile pile)
    {
        var met = new List<PileObject>();
        foreach (var found in pile.Enumerate())
            met.Add(found);
        return met;
    }

    private static long SlotBytes(int size, int room, bool hasTimeToLive)
    {
        var bytes = Form(room, hasTimeToLive).BytesFor(size);
        return bytes <= SizeClasses.SlotBytesMax
            ? SizeClasses.At(SizeClasses.IndexFor(bytes)).SlotBytes
            : (bytes + BlockLayout.BlockBytes - 1) / BlockLayout.BlockBytes * BlockLayout.BlockBytes;
    }

    private static PayloadForm Form(int room, bool hasTimeToLive) =>
        new(PayloadKind.Bytes, room, Deadline: hasTimeToLive ? 1U : 0);

    private static PilePointer Body(LocalPile pile, PilePointer pointer) =>
        PilePointer.FromUInt64(BitConverter.ToUInt64(PileChecks.SlotPayload(pile, pointer, 8)));

    private sealed class Stored
    {
        public int Number { get; init; }

        public byte[] Data { get; init; } = [];
    }
}
