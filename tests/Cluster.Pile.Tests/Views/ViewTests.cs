using Cluster.Pile.Layout;

namespace Cluster.Pile.Tests.Views;

/// <summary>What one thread sees of views.</summary>
public sealed class ViewTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(4096)]
    [InlineData(100_000)]
    [InlineData(262_144)]
    [InlineData(3_000_000)]
    public void View_OfAnySize_ShowsTheBytesWhereTheyLie(int size)
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(Piles.Payload(1, size));
        using var view = pile.OpenView(pointer);
        Assert.Equal((pointer, size, PileObjectKind.Bytes), (view.Pointer, view.Length, view.Kind));
        Assert.True(Piles.IsPayload(view.Span, 1));
    }

    [Fact]
    public void View_OfOtherKinds_ShowsTheirStoredForm()
    {
        using var pile = Piles.Create();
        using var latin = pile.OpenView(pile.Put("latin"));
        Assert.Equal(PileObjectKind.Latin1, latin.Kind);
        Assert.Equal("latin"u8.ToArray(), latin.Span.ToArray());
        using var wide = pile.OpenView(pile.Put("κόσμος"));
        Assert.Equal(PileObjectKind.Utf16, wide.Kind);
        Assert.Equal("κόσμος", new string(MemoryMarshal.Cast<byte, char>(wide.Span)));
        var graph = pile.Put(new List<int> { 1, 2, 3 });
        using var stored = pile.OpenView(graph);
        Assert.Equal((PileObjectKind.Graph, pile.SizeOf(graph)), (stored.Kind, stored.Length));
    }

    [Theory]
    [InlineData(500)]
    [InlineData(20_000)]
    [InlineData(400_000)]
    public void View_OfALinkedObject_PinsOwnerAndBody(int size)
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(Piles.Payload(1, 16));
        pile.Put(pointer, Piles.Payload(2, size));
        Assert.Equal(1, pile.GetStatistics().Links);
        using (var view = pile.OpenView(pointer))
        {
            Assert.True(Piles.IsPayload(view.Span, 2));
            Assert.Throws<PileBusyException>(() => pile.Put(pointer, new byte[8]));
            Assert.Throws<PileBusyException>(() => pile.Put(pointer, new byte[size * 2]));
            Assert.Throws<PileBusyException>(() => pile.Delete(pointer));
            Assert.True(Piles.IsPayload(view.Span, 2));
        }

        pile.Put(pointer, new byte[8]);
        Assert.True(pile.Delete(pointer));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Body_UnderAView_IsNotMovedByCompact()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 4000).Select(_ => pile.Put("x"u8)).ToList();
        pointers.ForEach(pointer => pile.Put(pointer, Piles.Payload(5, 1000)));
        for (var i = 0; i < pointers.Count; i++)
            Assert.True(i % 20 == 0 || pile.Delete(pointers[i]));
        var last = pointers[^20];
        using (var view = pile.OpenView(last))
        {
            Assert.InRange(pile.Compact().MovedLinks, 1, 199);
            for (var i = 0; i < 4000; i++)
                pile.Put(Piles.Payload(6, 1000));
            Assert.True(Piles.IsPayload(view.Span, 5));
        }

        Assert.Equal(Piles.Payload(5, 1000), pile.GetBytes(last));
    }

    [Fact]
    public void Change_UnderAViewOfTheSameThread_ThrowsAtOnceAndNamesTheView()
    {
        // A clock that stands still: only a throw without any wait ends this test.
        using var pile = Piles.Create(new Testing.ManualTimeProvider(), PileOptions.MaxPinWait);
        var pointer = pile.Put("abc"u8);
        using (pile.OpenView(pointer))
        {
            var error = Assert.Throws<PileBusyException>(() => pile.Put(pointer, "x"));
            Assert.Equal(pointer, error.Pointer);
            Assert.Contains($"{nameof(ViewTests)}.cs:", error.Message, StringComparison.Ordinal);
            Assert.Contains("same thread", error.Message, StringComparison.Ordinal);
            Assert.Throws<PileBusyException>(() => pile.Put(pointer, new List<int>()));
            Assert.Throws<PileBusyException>(() => pile.Delete(pointer));
            Assert.Equal(pointer, Assert.Throws<PileBusyException>(pile.Purge).Pointer);
            Assert.Equal("abc"u8.ToArray(), pile.GetBytes(pointer));
        }

        pile.Put(pointer, "x");
        Assert.Equal("x", pile.GetString(pointer));
        Assert.True(pile.Delete(pointer));
        pile.Purge();
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Change_OfOtherObjects_GoesOnUnderViews()
    {
        using var pile = Piles.Create();
        var (first, second) = (pile.Put("first"), pile.Put("second"));
        using var view = pile.OpenView(first);
        pile.Put(second, "changed");
        Assert.Equal("changed", pile.GetString(second));
        Assert.True(pile.Delete(second));
    }

    [Fact]
    public void Views_OnOneObject_PinItUntilTheLastIsDisposed()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[10]);
        var views = new[] { SlotState.Live, SlotState.Pinned, SlotState.Shared, SlotState.Shared };
        var first = pile.OpenView(pointer);
        var second = pile.OpenView(pointer);
        var third = pile.OpenView(pointer);
        CheckOpen(pile, pointer, 3, views);
        second.Dispose();
        CheckOpen(pile, pointer, 2, views);
        first.Dispose();
        CheckOpen(pile, pointer, 1, views);
        third.Dispose();
        CheckOpen(pile, pointer, 0, views);
        Assert.True(pile.Delete(pointer));
    }

    [Fact]
    public void Dispose_TwiceOrOfCopiesOrOfDefault_DoesNothingMore()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[10]);
        using var other = pile.OpenView(pointer);
        var view = pile.OpenView(pointer);
        var copy = view;
        view.Dispose();
        view.Dispose();
        copy.Dispose();
        default(PileView).Dispose();
        Assert.True(default(PileView).Span.IsEmpty && default(PileView).Pointer.IsDefault);
        Assert.Equal(1, pile.GetStatistics().OpenViews);
        Assert.Throws<PileBusyException>(() => pile.Delete(pointer));
        other.Dispose();
        Assert.True(pile.Delete(pointer));
    }

    [Fact]
    public void Readers_OfPinnedObjects_DoNotWait()
    {
        using var pile = Piles.Create();
        int[] sizes = [0, 10, 1000, 20_000, 300_000];
        var pointers = sizes.Select(size => pile.Put(Piles.Payload(7, size))).ToList();
        var linked = pile.Put("x"u8);
        pile.Put(linked, Piles.Payload(7, 30_000));
        pointers.Add(linked);
        foreach (var pointer in pointers)
        {
            using var view = pile.OpenView(pointer);
            CheckReads(pile, pointer, view.Length);
            using var second = pile.OpenView(pointer);
            CheckReads(pile, pointer, view.Length);
        }
    }

    [Fact]
    public void PinnedObjects_AreEnumerated()
    {
        using var pile = Piles.Create();
        var (first, second) = (pile.Put(new byte[10]), pile.Put(new byte[10]));
        using var one = pile.OpenView(first);
        using var two = pile.OpenView(second);
        using var three = pile.OpenView(second);
        Assert.Equal([first, second], EnumerationTests.Scan(pile).Select(found => found.Pointer));
    }

    [Fact]
    public void OpenView_OfWhatIsNotThere_Throws()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[10]);
        Assert.True(pile.Delete(pointer));
        CheckOpenThrows<InvalidPilePointerException>(pile, pointer);
        CheckOpenThrows<InvalidPilePointerException>(pile, default);
        CheckOpenThrows<InvalidPilePointerException>(pile, PilePointer.FromUInt64(ulong.MaxValue));
        var linked = pile.Put(new byte[10]);
        pile.Put(linked, new byte[10_000]);
        var body = PilePointer.FromUInt64(BitConverter.ToUInt64(PileChecks.SlotPayload(pile, linked, 8)));
        CheckOpenThrows<InvalidPilePointerException>(pile, body);
        Assert.Equal(0, pile.GetStatistics().OpenViews);
        pile.Dispose();
        CheckOpenThrows<ObjectDisposedException>(pile, linked);
    }

    [Fact]
    public void ManyViewsAtOnce_OpenAndCloseInAnyOrder()
    {
        using var pile = Piles.Create();
        var pointers = Enumerable.Range(0, 100).Select(i => pile.Put(Piles.Payload((ulong)i, 40))).ToList();
        CheckNested(pile, pointers, 0);
        Assert.Equal(0, pile.GetStatistics().OpenViews);
        pointers.ForEach(pointer => Assert.True(pile.Delete(pointer)));
    }

    [Fact]
    public void OpenAndDispose_AllocateNothing()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new byte[100]);
        Assert.Equal(0, Piles.AllocatedBytes(() => OpenAndClose(pile, pointer, 10_000)));
    }

    [Fact]
    public void PinWait_OutOfRange_IsRefused()
    {
        foreach (var wait in new[] { TimeSpan.FromTicks(-1), PileOptions.MaxPinWait + TimeSpan.FromTicks(1) })
        {
            var error = Assert.Throws<ArgumentException>(() => new LocalPile(new PileOptions { PinWait = wait }));
            Assert.Contains(nameof(PileOptions.PinWait), error.Message, StringComparison.Ordinal);
        }
    }

    private static void CheckNested(LocalPile pile, List<PilePointer> pointers, int depth)
    {
        if (depth == pointers.Count)
            return;
        var outer = pile.OpenView(pointers[depth]);
        var shared = pile.OpenView(pointers[0]);
        CheckNested(pile, pointers, depth + 1);
        Assert.True(Piles.IsPayload(outer.Span, (ulong)depth) && Piles.IsPayload(shared.Span, 0));

        // The older one first, which is not at the end of the list.
        outer.Dispose();
        shared.Dispose();
    }

    private static void CheckOpen(LocalPile pile, PilePointer pointer, int count, SlotState[] states)
    {
        Assert.Equal(count, pile.GetStatistics().OpenViews);
        var header = pile.Window.ReadWord(pile.Layout.OriginOffset + (pointer.Granule * PilePointer.GranuleBytes));
        Assert.Equal(states[count], new SlotHeader(header).State);
        if (count > 0)
            Assert.Throws<PileBusyException>(() => pile.Delete(pointer));
    }

    private static void CheckReads(LocalPile pile, PilePointer pointer, int length)
    {
        var buffer = new byte[length];
        Assert.Equal(length, pile.Read(pointer, buffer));
        Assert.True(Piles.IsPayload(buffer, 7));
        Assert.Equal(length, pile.SizeOf(pointer));
        Assert.Equal(buffer, pile.GetBytes(pointer));
        Assert.True(pile.IsLive(pointer));
    }

    private static void CheckOpenThrows<T>(LocalPile pile, PilePointer pointer)
        where T : Exception =>
        Assert.Throws<T>(() => pile.OpenView(pointer).Dispose());

    private static void OpenAndClose(LocalPile pile, PilePointer pointer, int times)
    {
        for (var i = 0; i < times; i++)
        {
            using var view = pile.OpenView(pointer);
            using var second = pile.OpenView(pointer);
            using var third = pile.OpenView(pointer);
        }
    }
}
