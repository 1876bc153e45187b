namespace Cluster.Pile.Tests;

public sealed class EnumerationTests
{
    private static readonly int[] Sizes = [0, 1, 7, 8, 63, 64, 500, 4095, 40_000, 200_000, 262_143, 262_144, 1_500_000];

    [Fact]
    public void Scan_OfAnEmptyPile_MeetsNothing()
    {
        using var pile = Piles.Create();
        Assert.Empty(Scan(pile));
    }

    [Fact]
    public void Scan_OfAllSizesAndKinds_MeetsEachOnceAsItIs()
    {
        using var pile = Piles.Create();
        var expected = new Dictionary<PilePointer, (int Length, PileObjectKind Kind)>();
        foreach (var size in Sizes)
        {
            for (ulong seed = 0; seed < 4; seed++)
                expected.Add(pile.Put(Piles.Payload(seed, size)), (size, PileObjectKind.Bytes));
        }

        expected.Add(pile.Put("latin"), (5, PileObjectKind.Latin1));
        expected.Add(pile.Put("κόσμος"), (12, PileObjectKind.Utf16));
        var graph = pile.Put(new List<int> { 1, 2, 3 });
        expected.Add(graph, (pile.SizeOf(graph), PileObjectKind.Graph));

        var met = Scan(pile);
        Assert.Equal(expected.Count, met.Count);
        Assert.All(met, found => Assert.Equal(expected[found.Pointer], (found.Length, found.Kind)));
    }

    [Fact]
    public void Scan_WithLinks_MeetsOwnersOnlyWithTheirLengthNow()
    {
        using var pile = Piles.Create();
        var pointers = new List<PilePointer>();
        for (var i = 0; i < 500; i++)
            pointers.Add(pile.Put(Piles.Payload(1, 40)));
        var grown = new[] { 41, 3000, 70_000, 300_000, 2_000_000 };
        for (var i = 0; i < grown.Length; i++)
            pile.Put(pointers[i * 90], Piles.Payload(2, grown[i]));
        Assert.Equal(grown.Length, pile.GetStatistics().Links);

        var met = Scan(pile).ToDictionary(found => found.Pointer);
        Assert.Equal(pointers.ToHashSet(), met.Keys.ToHashSet());
        for (var i = 0; i < pointers.Count; i++)
            Assert.Equal(i % 90 == 0 && i / 90 < grown.Length ? grown[i / 90] : 40, met[pointers[i]].Length);
    }

    [Fact]
    public void Scan_AfterDeletesAndPurge_MeetsWhatIsLeft()
    {
        using var pile = Piles.Create();
        var pointers = Sizes.SelectMany(size => Enumerable.Range(0, 3).Select(_ => pile.Put(new byte[size]))).ToList();
        for (var i = 0; i < pointers.Count; i += 2)
            Assert.True(pile.Delete(pointers[i]));
        var left = pointers.Where((_, index) => index % 2 == 1).ToHashSet();
        Assert.Equal(left, Scan(pile).Select(found => found.Pointer).ToHashSet());

        pile.Purge();
        Assert.Empty(Scan(pile));
        var fresh = pile.Put([1, 2, 3]);
        Assert.Equal(fresh, Assert.Single(Scan(pile)).Pointer);
    }

    [Fact]
    public void TryRead_OfWhatWasMet_GivesTheBytesUntilItIsDeleted()
    {
        using var pile = Piles.Create();
        var payload = Piles.Payload(3, 100);
        var pointer = pile.Put(payload);
        var found = Assert.Single(Scan(pile));
        var buffer = new byte[200];
        Assert.True(found.TryRead(buffer, out var length));
        Assert.Equal(payload, buffer[..length]);

        pile.Put(pointer, Piles.Payload(4, 150));
        Assert.Throws<ArgumentException>(() => found.TryRead(new byte[found.Length], out _));
        Assert.True(found.TryRead(buffer, out length));
        Assert.Equal(Piles.Payload(4, 150), buffer[..length]);

        Assert.True(pile.Delete(pointer));
        Assert.False(found.TryRead(buffer, out length));
        Assert.Equal(0, length);
    }

    [Fact]
    public void Object_DeletedUnderTheScan_IsNotMet()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 100).Select(_ => pile.Put(new byte[16])).ToList();
        var scan = pile.Enumerate().GetEnumerator();
        Assert.True(scan.MoveNext());
        var first = scan.Current.Pointer;
        pointers.ForEach(pointer => Assert.True(pile.Delete(pointer)));
        Assert.False(scan.MoveNext());
        Assert.Equal(first, scan.Current.Pointer);
    }

    [Fact]
    public void SlabThatChangesClassUnderTheScan_LosesNothingBehindIt()
    {
        using var pile = Piles.Create(4 * Piles.MiB);
        var small = Enumerable.Range(0, 5000).Select(_ => pile.Put(new byte[24])).ToList();
        var stable = Enumerable.Range(0, 50).Select(_ => pile.Put(new byte[3000])).ToHashSet();
        var met = new List<PilePointer>();
        var scan = pile.Enumerate().GetEnumerator();
        for (var i = 0; i < 100 && scan.MoveNext(); i++)
            met.Add(scan.Current.Pointer);

        // A budget this small makes the pile recycle the blocks that the scan stands in.
        small.ForEach(pointer => Assert.True(pile.Delete(pointer)));
        var refilled = FillUp(pile, 1000);
        while (scan.MoveNext())
            met.Add(scan.Current.Pointer);
        Assert.Contains(refilled, pointer => small.Exists(old => old.Granule / 8192 == pointer.Granule / 8192));
        Assert.Equal(met.Count, met.Distinct().Count());
        Assert.Superset(stable, met.ToHashSet());
    }

    [Fact]
    public void Pile_DisposedUnderTheScan_EndsIt()
    {
        using var pile = Piles.Create();
        for (var i = 0; i < 10; i++)
            pile.Put(new byte[i]);
        var objects = pile.Enumerate();
        var scan = objects.GetEnumerator();
        Assert.True(scan.MoveNext());
        var found = scan.Current;
        pile.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pile.Enumerate());
        Assert.Throws<ObjectDisposedException>(() => objects.GetEnumerator());
        Assert.Throws<ObjectDisposedException>(() => scan.MoveNext());
        Assert.Throws<ObjectDisposedException>(() => found.TryRead(new byte[10], out _));
    }

    [Fact]
    public void Scan_AllocatesNothing()
    {
        using var pile = Piles.Create();
        for (var i = 0; i < 1000; i++)
            pile.Put(new byte[i * 10]);
        var (count, bytes) = (0, 0L);
        Assert.Equal(0, Piles.AllocatedBytes(() => (count, bytes) = Count(pile)));
        Assert.Equal((1000, 10L * 999 * 500), (count, bytes));
    }

    internal static List<PileObject> Scan(LocalPile pile)
    {
        var found = new List<PileObject>();
        foreach (var item in pile.Enumerate())
            found.Add(item);
        return found;
    }

    private static (int Count, long Bytes) Count(LocalPile pile)
    {
        var (count, bytes) = (0, 0L);
        Span<byte> buffer = stackalloc byte[10_000];
        foreach (var item in pile.Enumerate())
        {
            Assert.True(item.TryRead(buffer, out var length));
            (count, bytes) = (count + 1, bytes + length);
        }

        return (count, bytes);
    }

    private static List<PilePointer> FillUp(LocalPile pile, int size)
    {
        var pointers = new List<PilePointer>();
        try
        {
            while (true)
                pointers.Add(pile.Put(new byte[size]));
        }
        catch (PileFullException)
        {
            return pointers;
        }
    }
}
