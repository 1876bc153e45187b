using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation.Stores;

namespace Cluster.Testing.Simulation.Growth;

/// <summary>The tables of a run and the sizes of the deltas between them. All nodes of a run share them, because a
/// thousand histories would need gigabytes; each delta is made and applied by the code of the product once. Used by one
/// thread.</summary>
/// <param name="store">The store of the run.</param>
/// <param name="clusterId">The identity of the cluster.</param>
internal sealed class SharedTables(Func<IReadOnlyList<StoredVersion>> store, Guid clusterId)
{
    private readonly TableHistory _history = new();
    private readonly Dictionary<(long From, long To), int> _deltas = [];
    private readonly Dictionary<long, int> _tables = [];
    private int _known;

    /// <summary>How many deltas lead to another table than the store has.</summary>
    public int WrongDeltas { get; private set; }

    /// <summary>Returns a table of the store.</summary>
    public ClusterTable TableOf(long version) => store()[(int)version - 1].Table;

    /// <summary>Returns how many bytes a whole table takes.</summary>
    public int BytesOf(long version)
    {
        if (!_tables.TryGetValue(version, out var bytes))
            _tables[version] = bytes = ClusterTableCodec.Encode(TableOf(version)).Length;
        return bytes;
    }

    /// <summary>Returns how many bytes the changes from one version to another take; null: nobody can tell
    /// them.</summary>
    public int? DeltaBytes(long from, long to)
    {
        if (_deltas.TryGetValue((from, to), out var bytes))
            return bytes;
        var versions = store();
        while (_known < versions.Count)
            _history.Add(versions[_known++].Table);
        if (_history.Find(from, to) is not { } delta || delta.To != to)
            return null;
        var packed = PackedDelta.Pack(TableDeltaCodec.Encode(delta, clusterId)!);
        var result = TableDeltaCodec.Decode(PackedDelta.Unpack(packed), clusterId).ApplyTo(TableOf(from));
        WrongDeltas += result?.ProposerNonce == TableOf(to).ProposerNonce ? 0 : 1;
        return _deltas[(from, to)] = packed.Length;
    }
}
