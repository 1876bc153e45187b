using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Hosting.Deltas;

public sealed class TableHistoryTests
{
    private readonly ClusterTable[] _tables = SuccessorTables.Chain(seed: 1, TableHistory.MaxTables + 4);
    private readonly TableHistory _history = new();

    [Fact]
    public void Find_VersionBeforeTheFirstOne_GivesNothing()
    {
        _history.Add(_tables[1]);
        _history.Add(_tables[2]);
        Assert.Null(_history.Find(_tables[0].Version, _tables[2].Version));
    }

    [Fact]
    public void Find_VersionThatIsNotKnownYet_GivesNothing()
    {
        _history.Add(_tables[0]);
        _history.Add(_tables[1]);
        Assert.Null(_history.Find(_tables[0].Version, _tables[2].Version));
    }

    [Fact]
    public void Find_VersionThatIsForgotten_LeadsToTheNewest()
    {
        foreach (var table in _tables)
            _history.Add(table);
        var delta = _history.Find(_tables[0].Version, _tables[1].Version)!;
        Assert.Equal(_tables[^1].Version, delta.To);
        Assert.Equal(_tables[^1].ProposerNonce, delta.ApplyTo(_tables[0])!.ProposerNonce);
    }

    [Fact]
    public void Add_OlderTable_IsIgnored()
    {
        _history.Add(_tables[1]);
        _history.Add(_tables[0]);
        _history.Add(_tables[2]);
        Assert.NotNull(_history.Find(_tables[1].Version, _tables[2].Version));
        Assert.Null(_history.Find(_tables[0].Version, _tables[2].Version));
    }

    [Fact]
    public void Find_OneOfManyPartitionsChanged_TakesFewBytes()
    {
        var table = Table(16_384, [.. Enumerable.Range(0, 1_000).Select(slot => Member(slot))]);
        var next = table.StartSuccessor(Guid.NewGuid()).WithPartition(
            new PartitionId(9_000), PartitionEntry.Unowned.AssignFirst(Slot(1), Slot(2)));
        _history.Add(table);
        _history.Add(next);
        var bytes = TableDeltaCodec.Encode(
            _history.Find(table.Version, next.Version)!, SuccessorTables.ClusterId)!;
        Assert.InRange(bytes.Length, 1, 128);
    }

    [Fact]
    public void Apply_DeltaOfAnotherVersion_IsRefused()
    {
        _history.Add(_tables[0]);
        _history.Add(_tables[1]);
        Assert.Null(_history.Find(_tables[0].Version, _tables[1].Version)!.ApplyTo(_tables[2]));
    }

    [Fact]
    public void Apply_DeltaThatLeadsElsewhere_IsRefused()
    {
        _history.Add(_tables[0]);
        _history.Add(_tables[1]);
        var delta = _history.Find(_tables[0].Version, _tables[1].Version)!;
        Assert.Null((delta with { ProposerNonce = Guid.NewGuid() }).ApplyTo(_tables[0]));
        Assert.NotNull(delta.ApplyTo(_tables[0]));
    }

    [Fact]
    public void Decode_DeltaOfAnotherCluster_NamesBoth()
    {
        _history.Add(_tables[0]);
        _history.Add(_tables[1]);
        var (own, other) = (Guid.NewGuid(), Guid.NewGuid());
        var bytes = TableDeltaCodec.Encode(_history.Find(_tables[0].Version, _tables[1].Version)!, other)!;
        var failure = Assert.Throws<StateFormatException>(() => TableDeltaCodec.Decode(bytes, own));
        Assert.Contains(own.ToString(), failure.Message, StringComparison.Ordinal);
        Assert.Contains(other.ToString(), failure.Message, StringComparison.Ordinal);
    }
}
