using Cluster.Pile.Hosting;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>A walk over the keys of one partition in the tables of its set. Used under the shard's lock.</summary>
/// <param name="tables">The tables of the set, with the ids of their states.</param>
/// <param name="hashFirst">The lowest hash of the partition.</param>
/// <param name="hashLast">The highest hash of the partition.</param>
internal sealed class RecordWalk(IEnumerable<KeyValuePair<uint, StampedTable>> tables, ulong hashFirst, ulong hashLast)
{
    private readonly KeyValuePair<uint, StampedTable>[] _tables = [.. tables];
    private int _table = -1;
    private StampedScan? _scan;

    /// <summary>The id of the state whose keys the walk gives now.</summary>
    public uint State => _tables[_table].Key;

    /// <summary>The table whose keys the walk gives now.</summary>
    public StampedTable Table => _tables[_table].Value;

    /// <summary>How many keys the walk has given.</summary>
    public long Visited { get; private set; }

    /// <summary>The lowest end of a life that the walk has met, in ticks of UTC.</summary>
    public long DueAt { get; set; } = long.MaxValue;

    /// <summary>Gives the next key; its bytes are valid until the next call.</summary>
    /// <returns>False: the walk has ended.</returns>
    public bool TryNext(out ReadOnlySpan<byte> key)
    {
        while (true)
        {
            if (_scan is not null && Table.TryNext(_scan, out key))
            {
                Visited++;
                return true;
            }

            if (_table + 1 >= _tables.Length)
            {
                _scan = null;
                key = default;
                return false;
            }

            _table++;
            _scan = StampedTable.BeginScan(hashFirst, hashLast);
        }
    }
}
