namespace Cluster.Pile.Tests.Host;

/// <summary>A process that is killed: attaches a pile to what is there, goes on changing its objects, cells and cache
/// entries, and keeps logs for its parent. How the pile is kept over the death of the process is an argument.</summary>
public static class KillLoop
{
    /// <summary>The pile lies in a mapped folder.</summary>
    public const string Mapped = "mapped";

    /// <summary>Snapshots of the pile are saved one after the other, and the newest is restored.</summary>
    public const string Snapshots = "snapshots";

    /// <summary>Written when the pile is there and all objects in it were whole.</summary>
    public const string Attached = "attached";

    /// <summary>The threads that change objects.</summary>
    public const int Workers = 2;

    /// <summary>The budget of the pile.</summary>
    public const long BudgetBytes = 48L << 20;

    private const int CompactEvery = 5000;

    /// <summary>The log of what a worker did to objects.</summary>
    public static string LogOf(string folder, int worker) => Path.Join(folder, $"log-{worker}");

    /// <summary>The log of what it did to cells and cache entries.</summary>
    public static string EntryLogOf(string folder, int worker) => Path.Join(folder, $"entries-{worker}");

    /// <summary>Where the pile is kept.</summary>
    public static string PileIn(string folder) => Path.Join(folder, "pile");

    /// <summary>Runs until the process is killed, or its parent is gone.</summary>
    /// <returns>Only when an object was not whole, or a worker has failed.</returns>
    public static int Run(string mode, string folder, int seed)
    {
        _ = Task.Run(EndWithParent);
        var pile = mode switch
        {
            Mapped => new LocalPile(new PileOptions { BudgetBytes = BudgetBytes, MappedFolder = PileIn(folder) }),
            Snapshots => KillSaver.Begin(PileIn(folder)),
            _ => throw new ArgumentOutOfRangeException(nameof(mode), mode, "There is no such mode."),
        };
        var tables = new KillTables(pile);
        var entries = Enumerable.Range(0, Workers)
            .Select(worker => new KillEntryWorker(
                pile, tables, EntryLogOf(folder, worker), seed + Workers + worker, worker))
            .ToList();
        var owned = new HashSet<PilePointer>();
        foreach (var (id, version, pointer) in tables.All())
        {
            entries[(int)(id % Workers)].Adopt(id, version);
            owned.Add(pointer);
        }

        var live = new List<(long Id, long Version, PilePointer Pointer)>[Workers];
        long idLast = 0;
        for (var worker = 0; worker < Workers; worker++)
            live[worker] = [];
        foreach (var found in pile.Enumerate())
        {
            if (!KillPayload.TryParse(pile.GetBytes(found.Pointer), out var id, out var version))
            {
                Console.WriteLine($"{found.Pointer} is not whole");
                return 1;
            }

            if (KillTables.TableOf(id) == KillTable.None)
            {
                live[id % Workers].Add((id, version, found.Pointer));
                idLast = Math.Max(idLast, id);
            }
            else if (!owned.Contains(found.Pointer))
            {
                // The last process died before it gave the object to its entry.
                pile.Delete(found.Pointer);
            }
        }

        // Ids of the last process whose puts were never heard of are not used again.
        var idFirst = ((idLast / Workers) + 1_000_000) * Workers;
        var workers = Enumerable.Range(0, Workers)
            .Select(worker => new KillWorker(
                pile, LogOf(folder, worker), seed + worker, (idFirst + worker, Workers), live[worker]))
            .ToList();
        Console.WriteLine(Attached);
        var threads = Enumerable.Range(0, Workers)
            .Select(worker => new Thread(() => Work(pile, workers[worker], entries[worker])))
            .ToList();
        if (mode == Snapshots)
            threads.Add(new Thread(() => new KillSaver(pile, folder).Run()));
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return 1;
    }

    // An exception ends the process, which the parent notices.
    private static void Work(LocalPile pile, KillWorker objects, KillEntryWorker entries)
    {
        for (long step = 1; ; step++)
        {
            objects.Change();
            entries.Change();
            if (step % CompactEvery == 0)
                pile.Compact();
        }
    }

    // Standard input ends when the parent does, however that was.
    private static void EndWithParent()
    {
        while (Console.In.Read() >= 0)
        {
            // Nothing is ever said.
        }

        Environment.Exit(0);
    }
}
