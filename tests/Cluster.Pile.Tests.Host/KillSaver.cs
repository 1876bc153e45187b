using Microsoft.Win32.SafeHandles;

namespace Cluster.Pile.Tests.Host;

/// <summary>Saves snapshots of the pile of a kill loop one after the other, and writes down after each how long the
/// logs of the workers were before it began: what they acknowledge up to there is before the cut. Used by one
/// thread.</summary>
public sealed class KillSaver
{
    /// <summary>Written when a snapshot was saved.</summary>
    public const string Saved = "saved";

    private const int Logs = 2 * KillLoop.Workers;

    private readonly LocalPile _pile;
    private readonly string _folder;
    private readonly SafeFileHandle _saves;

    /// <summary>Makes it for the folder of a kill loop.</summary>
    public KillSaver(LocalPile pile, string folder)
    {
        (_pile, _folder) = (pile, folder);
        _saves = File.OpenHandle(SavesIn(folder), FileMode.Create, FileAccess.Write, FileShare.Read);
    }

    /// <summary>Restores the newest snapshot, or begins with an empty pile.</summary>
    public static LocalPile Begin(string folder)
    {
        var options = new PileOptions { BudgetBytes = KillLoop.BudgetBytes };
        Directory.CreateDirectory(folder);
        return Directory.EnumerateFiles(folder, "*.manifest").Any()
            ? LocalPile.RestoreAsync(folder, options).GetAwaiter().GetResult()
            : new LocalPile(options);
    }

    /// <summary>The records that each log had when the last snapshot that is known to be complete began: of objects,
    /// then of entries, by worker. Zeros without one.</summary>
    public static IReadOnlyList<long> ReadLast(string folder)
    {
        var bytes = File.Exists(SavesIn(folder)) ? File.ReadAllBytes(SavesIn(folder)) : [];
        var last = bytes.AsSpan(0, bytes.Length / (Logs * sizeof(long)) * (Logs * sizeof(long)));
        var lengths = new long[Logs];
        for (var log = 0; log < Logs && !last.IsEmpty; log++)
            lengths[log] = BinaryPrimitives.ReadInt64LittleEndian(last[^((Logs - log) * sizeof(long))..]);
        return lengths;
    }

    /// <summary>Saves until the process ends.</summary>
    public void Run()
    {
        var record = new byte[Logs * sizeof(long)];
        for (long at = 0; ;)
        {
            for (var log = 0; log < Logs; log++)
                BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(log * sizeof(long)), RecordsIn(log));
            if (!TrySave())
                continue;
            RandomAccess.Write(_saves, record, at);
            at += record.Length;
            Console.WriteLine(Saved);
        }
    }

    private static string SavesIn(string folder) => Path.Join(folder, "saves");

    private long RecordsIn(int log)
    {
        var path = log < KillLoop.Workers
            ? KillLoop.LogOf(_folder, log)
            : KillLoop.EntryLogOf(_folder, log - KillLoop.Workers);
        return new FileInfo(path).Length / KillRecord.Bytes;
    }

    // One that changes overtook is given up; any other failure ends the process.
    private bool TrySave()
    {
        try
        {
            _pile.SaveAsync(KillLoop.PileIn(_folder)).GetAwaiter().GetResult();
            return true;
        }
        catch (PileSnapshotException e) when (e.Problem == PileSnapshotProblem.GivenUp)
        {
            return false;
        }
    }
}
