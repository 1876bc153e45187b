using Cluster.Pile.Caching;

namespace Cluster.Pile.Tests.Caching;

/// <summary>What may be said about a table, and that a name stands for one table.</summary>
public sealed class CacheTableOptionsTests : IDisposable
{
    private readonly Caches _caches = new();

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-21")]
    public void WrongOptions_AreAllNamed()
    {
        var failure = Assert.Throws<ArgumentException>(() => _caches.Create<int, string>(new CacheTableOptions
        {
            Kind = (CacheTableKind)7,
            MinBytes = 1001,
            MaxBytes = 1000,
            MinEntries = 1,
            MaxEntries = 0,
            MaxAge = TimeSpan.Zero,
            SlidingExpiration = TimeSpan.FromDays(3000),
        }));
        Assert.Contains("Kind is 7", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MaxBytes is 1,000", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MinBytes is 1,001", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MaxEntries is 0", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MinEntries is 1", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MaxAge is 00:00:00", failure.Message, StringComparison.Ordinal);
        Assert.Contains("SlidingExpiration is 3000", failure.Message, StringComparison.Ordinal);
        Assert.Contains("without effect", failure.Message, StringComparison.Ordinal);
        Assert.Empty(new PileCache(_caches.Pile).TableNames);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void OneName_IsOneTable()
    {
        var options = new CacheTableOptions { MaxAge = TimeSpan.FromMinutes(1) };
        var table = _caches.Create<int, string>(options, name: "a");
        Assert.Same(table, _caches.Create<int, string>(name: "a"));
        Assert.Same(table, _caches.Create<int, string>(options, name: "a"));
        Assert.NotSame(table, _caches.Create<int, string>(options, name: "b"));
        options.MaxAge = TimeSpan.FromMinutes(2);
        CheckOther("options", () => _caches.Create<int, string>(options, name: "a"));
        CheckOther("types", () => _caches.Create<long, string>(name: "a"));
        CheckOther("types", () => _caches.Create<int, object>(name: "a"));
        _caches.Create<string, string>(name: "c");
        CheckOther("key form", () => _caches.Create<string, string>(null, KeyCodecs.OrdinalIgnoreCase, "c"));
        Assert.Equal(["a", "b", "c"], new PileCache(_caches.Pile).TableNames);
        Assert.True(new PileCache(_caches.Pile).TryGetTable<int, string>("a", out var found));
        Assert.Same(table, found);
        Assert.False(new PileCache(_caches.Pile).TryGetTable<int, string>("d", out _));
        CheckOther("types", () => new PileCache(_caches.Pile).TryGetTable<int, object>("a", out _));
    }

    private static void CheckOther(string what, Action ask)
    {
        var failure = Assert.Throws<InvalidOperationException>(ask);
        Assert.Contains($"with other {what}", failure.Message, StringComparison.Ordinal);
    }
}
