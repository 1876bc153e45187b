using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Tests.Host;

/// <summary>Changes its objects of a pile at random until the process is killed, and writes a record before and after
/// every change: one call of the system each, so that what was acknowledged is known outside. Used by one thread; ids
/// are its own.</summary>
internal sealed class KillWorker
{
    private const int LiveMax = 3000;
    private const int LargeBytes = 700_000;

    private readonly LocalPile _pile;
    private readonly SafeFileHandle _log;
    private readonly Random _random;
    private readonly long _idStep;
    private readonly List<(long Id, long Version, PilePointer Pointer)> _live;
    private readonly byte[] _payload = new byte[LargeBytes + KillPayload.BytesMin];
    private readonly byte[] _record = new byte[KillRecord.Bytes];
    private long _logEnd;
    private long _idNext;

    public KillWorker(
        LocalPile pile, string log, int seed, (long First, long Step) ids, List<(long, long, PilePointer)> live)
    {
        _pile = pile;
        _log = File.OpenHandle(log, FileMode.Create, FileAccess.Write, FileShare.Read);
        _random = new Random(seed);
        (_idNext, _idStep) = ids;
        _live = live;
    }

    /// <summary>Makes one change.</summary>
    public void Change()
    {
        var choice = _random.Next(100);
        if (_live.Count == 0 || (choice < 40 && _live.Count < LiveMax))
            Put();
        else if (choice < 75)
            Update(_random.Next(_live.Count));
        else
            Delete(_random.Next(_live.Count));
    }

    private void Put()
    {
        var id = _idNext;
        _idNext += _idStep;
        Log(KillStep.Begin, id, 1, default);
        try
        {
            var pointer = _pile.Put(NextPayload(id, 1));
            Log(KillStep.Stored, id, 1, pointer);
            _live.Add((id, 1, pointer));
        }
        catch (PileFullException)
        {
            Log(KillStep.Refused, id, 1, default);
            MakeRoom();
        }
    }

    private void Update(int index)
    {
        var (id, version, pointer) = _live[index];
        version++;
        Log(KillStep.Begin, id, version, pointer);
        try
        {
            _pile.Put(pointer, NextPayload(id, version));
            Log(KillStep.Stored, id, version, pointer);
            _live[index] = (id, version, pointer);
        }
        catch (PileFullException)
        {
            Log(KillStep.Refused, id, version, pointer);
            MakeRoom();
        }
    }

    private void Delete(int index)
    {
        var (id, version, pointer) = _live[index];
        Log(KillStep.Begin, id, -1, pointer);
        if (!_pile.Delete(pointer))
            throw new InvalidOperationException($"The object {id} is gone.");
        Log(KillStep.Deleted, id, version, pointer);
        _live[index] = _live[^1];
        _live.RemoveAt(_live.Count - 1);
    }

    private void MakeRoom()
    {
        for (var count = _live.Count / 2; count > 0; count--)
            Delete(_random.Next(_live.Count));
    }

    // Mostly small, some that outgrow their slot, few that take blocks of their own.
    private ReadOnlySpan<byte> NextPayload(long id, long version)
    {
        var length = KillPayload.BytesMin + (int)Math.Pow(2, _random.NextDouble() * 13);
        if (_random.Next(500) == 0)
            length = KillPayload.BytesMin + _random.Next(LargeBytes);
        var payload = _payload.AsSpan(0, length);
        KillPayload.Fill(payload, id, version);
        return payload;
    }

    private void Log(KillStep step, long id, long version, PilePointer pointer)
    {
        new KillRecord(step, id, version, pointer.ToUInt64()).Write(_record);
        RandomAccess.Write(_log, _record, _logEnd);
        _logEnd += KillRecord.Bytes;
    }
}
