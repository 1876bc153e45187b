using Cluster.Pile.Tests.Mapped;

namespace Cluster.Pile.Tests.Docs;

/// <summary>Runs what the page about persistence shows of mapped folders.</summary>
public sealed class MappedPageTests
{
    [Fact]
    public void MappedFolder_AsPrinted_IsAttachedAgain()
    {
        using var test = new TestFolder();
        var folder = test.FullName;

        // <snippet:mapped>
        var options = new PileOptions { BudgetBytes = 64L << 20, MappedFolder = folder };
        ulong kept;
        using (var pile = new LocalPile(options))
            kept = pile.Put("what a process leaves").ToUInt64();

        // In the next process, or later in the same:
        using (var pile = new LocalPile(options))
            Assert.Equal("what a process leaves", pile.Get<string>(PilePointer.FromUInt64(kept)));
        // </snippet:mapped>
    }

    [Fact]
    public void RenamedType_AsPrinted_IsToldByAliases()
    {
        using var test = new TestFolder();
        var folder = test.FullName;

        // <snippet:renamed>
        var options = new PileOptions { BudgetBytes = 64L << 20, MappedFolder = folder }
            .Alias("Shop.Basket, Shop", typeof(Cart))           // the type had another name,
            .Alias("Count", typeof(Cart), nameof(Cart.Items));  // and one of its properties, too
        // </snippet:renamed>
        using var pile = new LocalPile(options);
        Assert.Equal(3, pile.Get<Cart>(pile.Put(new Cart { Items = 3 })).Items);
        Assert.Throws<ArgumentException>(() => options.Alias("Shop.Basket, Shop", typeof(MappedPageTests)));
        Assert.Throws<ArgumentException>(() => options.Alias("Old", typeof(Cart), "None"));
    }

    [Fact]
    public void Refusal_AsPrinted_SaysWhy()
    {
        using var test = new TestFolder();
        var folder = test.FullName;
        using var other = test.Attach();
        string? reason = null;

        // <snippet:refused>
        try
        {
            using var pile = new LocalPile(new PileOptions { MappedFolder = folder });
        }
        catch (PileFolderException refused)
        {
            // Another pile has the folder, a file is damaged, the machine went down, the budget is too small.
            reason = refused.Message;
        }
        // </snippet:refused>
        Assert.NotNull(reason);
    }

    private sealed class Cart
    {
        public int Items { get; init; }
    }
}
