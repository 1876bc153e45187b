namespace Cluster.Pile.Tests;

/// <summary>The lazy typed handle.</summary>
public sealed class PiledTests
{
    [Fact]
    public void Handle_OfAnObject_GetsReplacesAndDeletesIt()
    {
        using var pile = Piles.Create();
        var handle = new Piled<List<int>>(pile, pile.Put(new List<int> { 1 }));
        Assert.Equal([1], handle.Get());
        Assert.NotSame(handle.Get(), handle.Get());
        handle.Put([1, 2, 3]);
        Assert.Equal([1, 2, 3], pile.Get<List<int>>(handle.Pointer));
        Assert.True(handle.Delete());
        Assert.False(handle.Delete());
        Assert.Throws<InvalidPilePointerException>(() => handle.Get());
        Assert.Throws<InvalidPilePointerException>(() => handle.Put([]));
    }

    [Fact]
    public void Handle_OfAnotherType_IsRefusedWhenUsed()
    {
        using var pile = Piles.Create();
        var handle = new Piled<string>(pile, pile.Put(new List<int>()));
        Assert.Throws<InvalidCastException>(() => handle.Get());
    }

    [Fact]
    public void Handle_WithinAnObject_LeadsToTheOther_AlsoInAnotherPile()
    {
        using var pile = Piles.Create();
        using var archive = Piles.Create();
        var customer = new Piled<string>(archive, archive.Put("Ada"));
        var order = pile.Put(new Order(7, customer, [customer]));
        var copy = pile.Get<Order>(order);
        Assert.Equal(customer, copy.Customer);
        Assert.Equal("Ada", copy.Customer.Get());
        copy.Others[0].Put("Ada Lovelace");
        Assert.Equal("Ada Lovelace", pile.Get<Order>(order).Customer.Get());
    }

    [Fact]
    public void Handle_OfAPileThatIsClosed_NamesNothing()
    {
        var pile = Piles.Create();
        var handle = new Piled<string>(pile, pile.Put("a"));
        pile.Dispose();
        Assert.Contains("no pile that is open", Assert.Throws<InvalidPilePointerException>(() => handle.Get()).Message);
        Assert.Throws<InvalidPilePointerException>(() => handle.Put("b"));
        Assert.False(handle.Delete());
        Assert.Throws<ArgumentNullException>(() => new Piled<string>(null!, default));
    }

    [Fact]
    public void Default_NamesNothing()
    {
        var handle = default(Piled<string>);
        Assert.True(handle.IsDefault);
        Assert.Throws<InvalidPilePointerException>(() => handle.Get());
        Assert.False(handle.Delete());
        using var pile = Piles.Create();
        Assert.False(new Piled<string>(pile, default).IsDefault);
    }

    [Fact]
    public void Handles_AreEqual_WhenPileAndPointerAre()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put("a");
        Assert.Equal(new Piled<string>(pile, pointer), new Piled<string>(pile, pointer));
        Assert.True(new Piled<string>(pile, pointer) != new Piled<string>(pile, pile.Put("a")));
        Assert.Equal(16, Unsafe.SizeOf<Piled<string>>());
    }

    [Fact]
    public void Directory_DoesNotKeepAForgottenPile()
    {
        var identity = Forget();
        for (var i = 0; i < 20 && IsKnown(identity); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(IsKnown(identity));
    }

    // Apart, because what is found must not stay in a local of the test.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsKnown(ulong identity) => PileDirectory.TryFind<LocalPile>(identity, out _);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong Forget() => Piles.Create().Identity;

    private sealed record Order(int Id, Piled<string> Customer, Piled<string>[] Others);
}
