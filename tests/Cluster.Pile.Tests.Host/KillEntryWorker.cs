using Cluster.Pile.Caching;
using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Tests.Host;

/// <summary>Changes its cells and cache entries at random, as <see cref="KillWorker"/> changes its objects, with the
/// same log. Used by one thread; ids are its own.</summary>
internal sealed class KillEntryWorker
{
    private const int Ids = 1500;
    private const int LargeBytes = 100_000;

    private readonly LocalPile _pile;
    private readonly KillTables _tables;
    private readonly SafeFileHandle _log;
    private readonly Random _random;
    private readonly int _worker;
    private readonly Dictionary<long, long> _versions = [];
    private readonly HashSet<long> _there = [];
    private readonly byte[] _payload = new byte[LargeBytes + KillPayload.BytesMin];
    private readonly byte[] _record = new byte[KillRecord.Bytes];
    private long _logEnd;

    public KillEntryWorker(LocalPile pile, KillTables tables, string log, int seed, int worker)
    {
        (_pile, _tables, _worker) = (pile, tables, worker);
        _log = File.OpenHandle(log, FileMode.Create, FileAccess.Write, FileShare.Read);
        _random = new Random(seed);
    }

    /// <summary>Takes an entry over that an earlier process left.</summary>
    public void Adopt(long id, long version)
    {
        _versions[id] = version;
        _there.Add(id);
    }

    /// <summary>Makes one change. Versions of this process begin above those of earlier ones.</summary>
    public void Change()
    {
        var table = (KillTable)(1 + _random.Next(3));
        var id = KillTables.IdOf(table, (_random.Next(Ids) * (long)KillLoop.Workers) + _worker);
        if (_there.Contains(id) && _random.Next(4) == 0)
            Remove(table, id);
        else
            Put(table, id);
    }

    private void Put(KillTable table, long id)
    {
        var version = _versions.GetValueOrDefault(id, Environment.TickCount64 << 16) + 1;
        Log(KillStep.Begin, id, version);
        var isStored = TryPut(table, id, version);
        Log(isStored ? KillStep.Stored : KillStep.Refused, id, version);
        _versions[id] = version;
        if (isStored)
            _there.Add(id);
    }

    private bool TryPut(KillTable table, long id, long version)
    {
        try
        {
            var value = NextPayload(id, version);
            if (table == KillTable.Cells)
                return PutCell(id, version, value);
            var result = table == KillTable.Evicting
                ? _tables.Evicting.Put(
                    KillTables.KeyOf(id), value, _random.Next(3), _random.Next(2) == 0 ? TimeSpan.FromSeconds(2) : null)
                : _random.Next(4) == 0 ? PutOwned(id, value) : _tables.NonEvicting.Put(id, value, _random.Next(3));
            return result != PutResult.Refused;
        }
        catch (PileFullException)
        {
            return false;
        }
    }

    private PutResult PutOwned(long id, ReadOnlySpan<byte> value)
    {
        var pointer = _pile.Put(value);
        var result = _tables.NonEvicting.PutPointer(id, pointer);
        if (result == PutResult.Refused)
            _pile.Delete(pointer);
        return result;
    }

    // As a whole, or changed in an accessor in several steps.
    private bool PutCell(long id, long version, ReadOnlySpan<byte> value)
    {
        if (_random.Next(2) == 0)
        {
            _tables.Cells.Save(id, (ushort)version, value);
            return true;
        }

        using var cell = _tables.Cells.Use(id);
        cell.Resize(value.Length / 2);
        cell.SetType((ushort)version);
        value[..(value.Length / 2)].CopyTo(cell.Edit());
        cell.Resize(value.Length);
        value.CopyTo(cell.Edit());
        return true;
    }

    private void Remove(KillTable table, long id)
    {
        Log(KillStep.Begin, id, -1);
        var isRemoved = table switch
        {
            KillTable.Cells => _tables.Cells.Remove(id),
            KillTable.NonEvicting => _tables.NonEvicting.Remove(id),
            _ => _tables.Evicting.Remove(KillTables.KeyOf(id)) || true,
        };
        if (!isRemoved)
            throw new InvalidOperationException($"The entry {id} is gone.");
        Log(KillStep.Deleted, id, -1);
        _there.Remove(id);
    }

    private ReadOnlySpan<byte> NextPayload(long id, long version)
    {
        var length = KillPayload.BytesMin + (int)Math.Pow(2, _random.NextDouble() * 10);
        if (_random.Next(300) == 0)
            length = KillPayload.BytesMin + _random.Next(LargeBytes);
        var payload = _payload.AsSpan(0, length);
        KillPayload.Fill(payload, id, version);
        return payload;
    }

    private void Log(KillStep step, long id, long version)
    {
        new KillRecord(step, id, version, 0).Write(_record);
        RandomAccess.Write(_log, _record, _logEnd);
        _logEnd += KillRecord.Bytes;
    }
}
