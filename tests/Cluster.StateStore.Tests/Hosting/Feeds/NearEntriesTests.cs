using Cluster.StateStore.Hosting.Feeds;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.Feeds;

/// <summary>A reader looks at the counters of a key, and then reads the value. While the counters stay the same, it uses
/// the value. So a change must move them after the last moment at which the old value can be read.</summary>
public sealed class NearEntriesTests
{
    private const int Index = 0;

    private static readonly HashedKey Key = new(1, 7, [1, 2, 3]);

    [Fact]
    [Trait("Case", "replica-near")]
    public void OldValue_ReadAmidAChange_IsNotUsedAfterIt()
    {
        using var entries = new ObservedEntries();
        entries.Fill(Key, entries.Look(Key.Hash, Index), version: 1, [1]);
        entries.Reader.Read();
        Assert.True(entries.Reader.TrustsTheOldValue);

        entries.Drop(Key.Bytes, Key.Hash);
        Assert.Equal(1, entries.Reader.FoundAmidChanges);
        Assert.False(entries.Reader.TrustsTheOldValue);
    }

    [Fact]
    [Trait("Case", "replica-near")]
    public void OldValue_FilledInAmidAChange_IsNotUsedAfterIt()
    {
        using var entries = new ObservedEntries();
        var known = entries.Look(Key.Hash, Index);
        entries.BeforeStore = () => entries.Drop(Key.Bytes, Key.Hash);

        entries.Fill(Key, known, version: 1, [1]);
        Assert.True(entries.Reader.FoundAmidChanges > 0);
        Assert.False(entries.Reader.TrustsTheOldValue);
        Assert.Equal(0, entries.Count);
    }

    /// <summary>Lets a reader in before each step of a change.</summary>
    private sealed class ObservedEntries : NearEntries
    {
        public ObservedEntries()
            : base("near", 4 << 20, partitionCount: 1) => Reader = new Reader(this);

        public Reader Reader { get; }

        public Action? BeforeStore { get; set; }

        private protected override void Store(byte[] key, byte[] entry)
        {
            BeforeStore?.Invoke();
            base.Store(key, entry);
        }

        private protected override void Remove(byte[] key)
        {
            Reader.ReadAmidAChange();
            base.Remove(key);
        }
    }

    /// <summary>Remembers the newest old value that it found, and the counters that it saw before.</summary>
    private sealed class Reader(NearEntries entries)
    {
        private NearFill? _known;

        public int FoundAmidChanges { get; private set; }

        public bool TrustsTheOldValue => _known is { } known && entries.IsUnchanged(Key.Hash, known);

        public bool Read()
        {
            var known = entries.Look(Key.Hash, Index);
            if (!entries.TryRead(Key, Index, out _, out _))
                return false;
            _known = known;
            return true;
        }

        public void ReadAmidAChange() => FoundAmidChanges += Read() ? 1 : 0;
    }
}
