namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 7 of the pile: whatever a full pile refuses, it changes nothing, and it works again after a
/// tenth was deleted.</summary>
[Trait("Case", "pile-7")]
public sealed class FullPileTests
{
    private const int Size = 1000;

    private static readonly PutHints OneHour = new() { TimeToLive = TimeSpan.FromHours(1) };

    private static readonly Dictionary<string, Action<Full>> Operations = new()
    {
        ["Put"] = full => full.Pile.Put(new byte[Size]),
        ["PutSmall"] = full => full.Pile.Put(new byte[3]),
        ["PutText"] = full => full.Pile.Put(new string('x', 700)),
        ["PutWideText"] = full => full.Pile.Put(new string('ж', 700)),
        ["PutGraph"] = full => full.Pile.Put(Enumerable.Range(0, 500).ToList()),
        ["PutLarge"] = full => full.Pile.Put(new byte[300_000]),
        ["PutWithRoom"] = full => full.Pile.Put(new byte[3], new PutHints { RoomBytes = 5000 }),
        ["PutWithLargeRoom"] = full => full.Pile.Put(new byte[3], new PutHints { RoomBytes = 300_000 }),
        ["PutWithTimeToLive"] = full => full.Pile.Put(new byte[Size], OneHour),
        ["Grow"] = full => full.Pile.Put(full.Plain, new byte[Size * 2]),
        ["GrowToText"] = full => full.Pile.Put(full.Plain, new string('ж', Size)),
        ["GrowToGraph"] = full => full.Pile.Put(full.Plain, Enumerable.Range(0, 5000).ToList()),
        ["GrowToLarge"] = full => full.Pile.Put(full.Plain, new byte[300_000]),
        ["GrowLinked"] = full => full.Pile.Put(full.Linked, new byte[3000]),
        ["GrowLinkedToLarge"] = full => full.Pile.Put(full.Linked, new byte[300_000]),
        ["GrowLarge"] = full => full.Pile.Put(full.Large, new byte[400_000]),
        ["GrowLinkedLarge"] = full => full.Pile.Put(full.LinkedLarge, new byte[400_000]),
        ["GrowWithTimeToLive"] = full => full.Pile.Put(full.Bounded, new byte[Size]),
        ["UpdateWithRoom"] = full => full.Pile.Put(full.Plain, new byte[3], new PutHints { RoomBytes = Size * 2 }),
        ["UpdateWithTimeToLive"] = full => full.Pile.Put(full.Exact, new byte[504], OneHour),
        ["UpdateLinkedWithTimeToLive"] = full => full.Pile.Put(full.Linked, new byte[2048], OneHour),
    };

    public static TheoryData<string> Names { get; } = [.. Operations.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void Operation_WhenFull_ChangesNothingAndWorksAfterATenthIsDeleted(string name)
    {
        using var full = new Full();
        var before = full.Pile.GetStatistics();
        for (var attempt = 0; attempt < 3; attempt++)
            Assert.Throws<PileFullException>(() => Operations[name](full));
        var after = full.Pile.GetStatistics();
        Assert.Equal(
            (before.Objects, before.Links, before.LiveBytes, before.LargeObjects),
            (after.Objects, after.Links, after.LiveBytes, after.LargeObjects));
        full.CheckIntact();

        full.DeleteATenth();
        Operations[name](full);
        PileChecks.CountersAgree(full.Pile);
        full.DeleteAll();
        PileChecks.CountersAgree(full.Pile);
        Assert.InRange(full.Pile.GetStatistics().Objects, 0, 1);
    }

    /// <summary>A pile without room for anything, with one object of every shape in it. Owned by one test.</summary>
    private sealed class Full : IDisposable
    {
        private readonly List<(PilePointer Pointer, ulong Seed, int Size)> _all = [];
        private readonly List<PilePointer> _fill;

        public Full()
        {
            Plain = Add(Size);
            Exact = Add(504);
            Bounded = Add(500, OneHour);
            Linked = Grow(Add(10), 2048);
            Large = Add(300_000);
            LinkedLarge = Grow(Add(10), 300_000);
            _fill = Piles.FillUp(Pile, Size);

            // The rest of every slab that the objects above have opened, too.
            foreach (var size in (int[])[2048, 512, 504, 500, 100, 24, 0])
                Piles.FillUp(Pile, size).ForEach(pointer => _all.Add((pointer, 0, -1)));
        }

        public LocalPile Pile { get; } = Piles.Create(6 * Piles.MiB);

        public PilePointer Plain { get; }

        public PilePointer Exact { get; }

        public PilePointer Bounded { get; }

        public PilePointer Linked { get; }

        public PilePointer Large { get; }

        public PilePointer LinkedLarge { get; }

        public void CheckIntact()
        {
            foreach (var (pointer, seed, size) in _all)
            {
                if (size >= 0)
                    Assert.Equal(Piles.Payload(seed, size), Pile.GetBytes(pointer));
                else
                    Assert.True(Pile.IsLive(pointer));
            }

            var buffer = new byte[Size];
            for (var i = 0; i < _fill.Count; i++)
                Assert.True(Pile.Read(_fill[i], buffer) == Size && Piles.IsPayload(buffer, (ulong)i));
        }

        // The first ones, which lie side by side, so that whole slabs empty.
        public void DeleteATenth()
        {
            var count = (_fill.Count + _all.Count) / 10;
            Assert.InRange(count, 300, _fill.Count);
            for (var i = 0; i < count; i++)
                Assert.True(Pile.Delete(_fill[i]));
            _fill.RemoveRange(0, count);
        }

        public void DeleteAll()
        {
            Assert.All(_fill, pointer => Assert.True(Pile.Delete(pointer)));
            Assert.All(_all, entry => Assert.True(Pile.Delete(entry.Pointer)));
        }

        public void Dispose() => Pile.Dispose();

        private PilePointer Add(int size, PutHints hints = default)
        {
            var seed = (ulong)_all.Count;
            var pointer = Pile.Put(Piles.Payload(seed, size), hints);
            _all.Add((pointer, seed, size));
            return pointer;
        }

        private PilePointer Grow(PilePointer pointer, int size)
        {
            var seed = _all[^1].Seed;
            Pile.Put(pointer, Piles.Payload(seed, size));
            _all[^1] = (pointer, seed, size);
            return pointer;
        }
    }
}
