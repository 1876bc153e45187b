namespace Cluster.SystemTests.Host;

/// <summary>Stops every managed thread of this process, as a long garbage collection does, until the parent writes the
/// next line on standard input. Stateless.</summary>
public static class BlockedCollector
{
    /// <summary>The line on standard input.</summary>
    public const string Command = "collect";

    /// <summary>The line on standard output when the threads go on.</summary>
    public const string Over = "the collection is over";

    /// <summary>Stops the process if a line asks for it, on the thread that reads standard input.</summary>
    /// <param name="line">What the parent has written.</param>
    public static void Obey(string line)
    {
        if (line != Command)
            return;
        var isOver = false;
        var collecting = new Thread(() => Collect(ref isOver)) { IsBackground = true, Name = Command };
        collecting.Start();

        // The runtime does not stop a thread in such a call, and the collection waits for it while all other threads
        // are stopped already. A read goes on after a signal.
        var next = 0;
        _ = Read(0, ref next, 1);
        Volatile.Write(ref isOver, true);
        collecting.Join();
        Console.WriteLine(Over);
    }

    // A collection may end before the read has begun.
    private static void Collect(ref bool isOver)
    {
        while (!Volatile.Read(ref isOver))
            GC.Collect();
    }

    [DllImport("libc", EntryPoint = "read")]
    [SuppressGCTransition]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Read(int file, ref int next, nint count);
}
