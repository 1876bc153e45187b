namespace Cluster.Pile.Tests.Host;

/// <summary>A process whose disk becomes full, really. It says what it found line by line, and ends with 0 when all of
/// it was right.</summary>
public static class FullDisk
{
    /// <summary>A snapshot on any disk: the system limits files to <see cref="LimitBytes"/>.</summary>
    public const string LimitedSave = "limited-save";

    /// <summary>A mapped folder on any disk: the system limits files to a page.</summary>
    public const string LimitedMapped = "limited-mapped";

    /// <summary>A snapshot on a disk of <see cref="DiskBytes"/>.</summary>
    public const string SmallSave = "small-save";

    /// <summary>A mapped folder on a disk of <see cref="DiskBytes"/>.</summary>
    public const string SmallMapped = "small-mapped";

    /// <summary>The size of the disk.</summary>
    public const long DiskBytes = 24L << 20;

    private const long LimitBytes = 1L << 20;
    private const int ObjectBytes = 3000;
    private const int ObjectCount = 1000;

    /// <summary>Runs one of the modes.</summary>
    public static async Task<int> RunAsync(string mode, string folder)
    {
        try
        {
            switch (mode)
            {
                case LimitedSave:
                    await SaveAsync(folder, ShortDisk.Limited(LimitBytes));
                    return 0;
                case LimitedMapped:
                    LimitFolder(folder, ShortDisk.Limited(Environment.SystemPageSize));
                    return 0;
                case SmallSave:
                    await SaveAsync(folder, ShortDisk.Small(folder));
                    return 0;
                case SmallMapped:
                    FillFolder(folder, ShortDisk.Small(folder));
                    return 0;
                default:
                    throw Wrong($"There is no mode {mode}.");
            }
        }
        catch (InvalidDataException)
        {
            return 1;
        }
    }

    // A full disk ends the save and nothing else, and the snapshot before it can be restored.
    private static async Task SaveAsync(string folder, ShortDisk disk)
    {
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 16L << 20 });
        var pointers = Enumerable.Range(0, ObjectCount).Select(i => pile.Put(Payload(i, 0))).ToList();
        await pile.SaveAsync(folder);
        for (var i = 0; i < ObjectCount; i++)
            pile.Put(pointers[i], Payload(i, 1));
        disk.TakeRoom();
        for (var attempt = 0; attempt < 2; attempt++)
        {
            var (failure, changes) = await FailToSaveAsync(pile, folder, pointers[0]);
            Console.WriteLine($"{failure.Problem}: {failure.Message}");
            Console.WriteLine($"{changes} changes meanwhile");
        }

        await CheckRestoredAsync(folder, pointers, version: 0);
        disk.GiveRoom();
        pile.Put(pointers[0], Payload(0, 1));
        await pile.SaveAsync(folder);
        await CheckRestoredAsync(folder, pointers, version: 1);
    }

    private static async Task<(PileSnapshotException Failure, long Changes)> FailToSaveAsync(
        LocalPile pile, string folder, PilePointer changed)
    {
        using var stop = new CancellationTokenSource();
        var changes = 0L;
        var writer = Task.Run(() =>
        {
            for (; !stop.IsCancellationRequested || changes < 100; changes++)
                pile.Put(changed, Payload(0, (int)changes));
        });
        try
        {
            await pile.SaveAsync(folder);
        }
        catch (PileSnapshotException failure)
        {
            return (failure, changes);
        }
        finally
        {
            await stop.CancelAsync();
            await writer;
        }

        throw Wrong("A save on a full disk succeeded.");
    }

    private static async Task CheckRestoredAsync(string folder, List<PilePointer> pointers, int version)
    {
        using var restored = await LocalPile.RestoreAsync(folder, new PileOptions { BudgetBytes = 16L << 20 });
        for (var i = 0; i < pointers.Count; i++)
            Check(restored.GetBytes(pointers[i]).AsSpan().SequenceEqual(Payload(i, version)), $"object {i} is another");
    }

    // What has its place in the files is not limited; new types and new folders are.
    private static void LimitFolder(string folder, ShortDisk disk)
    {
        var options = new PileOptions { BudgetBytes = 16L << 20, MappedFolder = Path.Join(folder, "pile") };
        var other = new PileOptions { BudgetBytes = 16L << 20, MappedFolder = Path.Join(folder, "other") };
        var model = new Dictionary<int, PilePointer>();
        using (var pile = new LocalPile(options))
        {
            disk.TakeRoom();
            for (var i = 0; i < ObjectCount; i++)
                model.Add(i, pile.Put(Payload(i, 0)));
            Refuse<PileFolderException>(() => PutTypes(pile));
            Refuse<PileFolderException>(() => new LocalPile(other).Dispose());
            CheckAll(pile, model);
            disk.GiveRoom();
            Check(PutTypes(pile) > 100, "types were not stored");
        }

        using var again = new LocalPile(options);
        CheckAll(again, model);
        new LocalPile(other).Dispose();
        Console.WriteLine($"{model.Count} objects");
    }

    // A folder that cannot grow refuses objects and keeps what it has.
    private static void FillFolder(string folder, ShortDisk disk)
    {
        var path = Path.Join(folder, "pile");
        var options = new PileOptions { BudgetBytes = 4 * DiskBytes, MappedFolder = path };
        var model = new Dictionary<int, PilePointer>();
        using (var pile = new LocalPile(options))
        {
            Fill(pile, model, 0);
            Console.WriteLine($"{model.Count} objects");

            // Not a byte more, not even for the description of a type.
            disk.TakeRoom();
            Refuse<PileFullException>(() => Fill(pile, model, 1_000_000));
            Refuse<PileFullException>(() => pile.Put(model[0], new byte[4 << 20]));
            CheckAll(pile, model);
            for (var i = 0; i < ObjectCount; i++)
            {
                Check(pile.Delete(model[i]), "an object was gone");
                model.Remove(i);
            }

            Refuse<PileFolderException>(() => PutTypes(pile));
            for (var i = 0; i < ObjectCount / 2; i++)
                model.Add(2_000_000 + i, pile.Put(Payload(2_000_000 + i, 0)));
            CheckAll(pile, model);
            disk.GiveRoom();
            Check(PutTypes(pile) > 100, "types were not stored");
            disk.TakeRoom();
            Refuse<PileFolderException>(pile.Dispose);
        }

        Refuse<PileFolderException>(() => new LocalPile(options).Dispose());
        disk.GiveRoom();
        using var again = new LocalPile(options);
        CheckAll(again, model);
        Console.WriteLine($"{model.Count} objects");
    }

    // Their descriptions are longer than a page of a file.
    private static int PutTypes(LocalPile pile)
    {
        Type[] parts = [.. typeof(object).Assembly.GetTypes().Where(type => type.IsPrimitive && type != typeof(nint))];
        var count = 0;
        foreach (var type in parts.SelectMany(key => parts.Select(value => (Key: key, Value: value))))
        {
            if (type.Key == typeof(nuint) || type.Value == typeof(nuint))
                continue;
            var made = typeof(Dictionary<,>).MakeGenericType(type.Key, type.Value);
            var pointer = pile.Put(Activator.CreateInstance(made)!);
            Check(pile.Get<object>(pointer).GetType() == made, "an object is of another type");
            Check(pile.Delete(pointer), "an object was gone");
            count++;
        }

        return count;
    }

    private static void Fill(LocalPile pile, Dictionary<int, PilePointer> model, int first)
    {
        try
        {
            for (var i = first; ; i++)
                model.Add(i, pile.Put(Payload(i, 0)));
        }
        catch (PileFullException) when (first == 0)
        {
            // As much as fits.
        }
    }

    private static void Refuse<TException>(Action attempt)
        where TException : PileException
    {
        try
        {
            attempt();
        }
        catch (TException refused)
        {
            Console.WriteLine($"{typeof(TException).Name}: {refused.Message}");
            return;
        }

        throw Wrong($"No {typeof(TException).Name} was thrown.");
    }

    // Printed at once: what ends the pile may fail as well.
    private static InvalidDataException Wrong(string message)
    {
        Console.WriteLine(message);
        return new InvalidDataException(message);
    }

    private static void CheckAll(LocalPile pile, Dictionary<int, PilePointer> model)
    {
        foreach (var (i, pointer) in model)
            Check(pile.GetBytes(pointer).AsSpan().SequenceEqual(Payload(i, 0)), $"object {i} is another");
    }

    private static byte[] Payload(int id, int version)
    {
        var payload = new byte[ObjectBytes];
        new Random((id * 31) + version).NextBytes(payload);
        return payload;
    }

    private static void Check(bool isRight, string wrong)
    {
        if (!isRight)
            throw Wrong(wrong);
    }
}
