using System.Runtime.Loader;

namespace Cluster.Pile.Tests.Host;

/// <summary>A process whose types are those of an assembly that is named to it: it opens what another such process
/// left, lets a method of the assembly run, prints what that gives, and leaves the pile to the next one.</summary>
public static class TypeVersions
{
    /// <summary>The pile is restored from the last snapshot, and saved.</summary>
    public const string Snapshot = "snapshot";

    /// <summary>The pile lies in a mapped folder and is disposed.</summary>
    public const string Mapped = "mapped";

    /// <summary>The pile lies in a mapped folder, and the process kills itself.</summary>
    public const string Killed = "killed";

    /// <summary>The class in the assembly.</summary>
    public const string Program = "Shop.Program";

    /// <summary>Runs the assembly's <c>Shop.Program.Run(LocalPile, PilePointer[])</c> on a pile whose options its
    /// <c>Configure</c> has seen, and prints each of the strings that it returns.</summary>
    public static async Task<int> RunAsync(string mode, string assembly, string folder, string[] pointers)
    {
        var program = AssemblyLoadContext.Default.LoadFromAssemblyPath(assembly).GetType(Program, throwOnError: true)!;
        var options = new PileOptions { BudgetBytes = 16L << 20 };
        if (mode != Snapshot)
            options.MappedFolder = folder;
        program.GetMethod("Configure")!.CreateDelegate<Action<PileOptions>>()(options);
        var pile = mode == Snapshot && pointers.Length > 0
            ? await LocalPile.RestoreAsync(folder, options)
            : new LocalPile(options);
        var run = program.GetMethod("Run")!.CreateDelegate<Func<LocalPile, PilePointer[], IEnumerable<string>>>();
        var given = pointers.Select(text => PilePointer.FromUInt64(ulong.Parse(text, CultureInfo.InvariantCulture)));
        foreach (var line in run(pile, [.. given]))
            Console.WriteLine(line);
        if (mode == Snapshot)
            await pile.SaveAsync(folder);
        await Console.Out.FlushAsync();
        if (mode == Killed)
            Process.GetCurrentProcess().Kill();
        pile.Dispose();
        return 0;
    }
}
