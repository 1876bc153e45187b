using Cluster.StateStore.Hosting.Feeds;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.Feeds;

/// <summary>A reader looks at the counters of a key, and then reads the value. While the counters stay the same, it uses
/// the value. So a change must move them after the last moment at which the old value can be read.</summary>
public sealed class NearEntriesTests : IDisposable
{
    private const int Index = 0;

    private static readonly HashedKey Key = new(1, 7, [1, 2, 3]);

    private readonly NearEntries _entries = new("near", 4 << 20, partitionCount: 1);
    private NearFill? _known;

    // Whether a reader still uses the newest old value that it has found.
    private bool TrustsTheOldValue => _known is { } known && _entries.IsUnchanged(Key.Hash, known);

    public void Dispose() => _entries.Dispose();

    [Fact]
    [Trait("Case", "replica-near")]
    public void OldValue_ReadAmidAChange_IsNotUsedAfterIt()
    {
        _entries.Fill(Key, Look(), version: 1, [1]);
        Read();
        Assert.True(TrustsTheOldValue);

        (_known, _entries.BeforeStep) = (null, Read);
        _entries.Drop(Key.Bytes, Key.Hash);
        Assert.NotNull(_known);
        Assert.False(TrustsTheOldValue);
    }

    [Fact]
    [Trait("Case", "replica-near")]
    public void OldValue_FilledInAmidAChange_IsNotUsedAfterIt()
    {
        var known = Look();
        _entries.BeforeStep = () =>
        {
            // The change comes after the last look of the fill at the counters.
            _entries.BeforeStep = Read;
            _entries.Drop(Key.Bytes, Key.Hash);
        };
        _entries.Fill(Key, known, version: 1, [1]);
        Assert.NotNull(_known);
        Assert.False(TrustsTheOldValue);
        Assert.Equal(0, _entries.Count);
    }

    private NearFill Look() => _entries.Look(Key.Hash, Index);

    private void Read()
    {
        var known = Look();
        if (_entries.TryRead(Key, Index, out _, out _))
            _known = known;
    }
}
