namespace Cluster.Nodes.Lifecycle;

/// <summary>
/// The exit code of this process: set when the node ends otherwise than it should, so that a supervisor sees it
/// although the program's own code ends in order. Tests that run several nodes in one process put another one in its
/// place.
/// </summary>
/// <param name="set">Sets the exit code.</param>
internal sealed class ProcessExit(Action<int> set)
{
    private static int _isArmed;

    /// <summary>The exit code of the real process.</summary>
    internal static ProcessExit OfThisProcess { get; } = new(static code => Environment.ExitCode = code);

    /// <summary>Sets the exit code.</summary>
    internal void Set(ClusterExitCode code) => set((int)code);

    /// <summary>
    /// From now on a process that ends because nobody catches a <see cref="ClusterStartException"/> ends with the code
    /// of the exception. Without this it would be aborted, and a supervisor could not tell why. Idempotent.
    /// </summary>
    internal static void ArmForStartFailures()
    {
        if (Interlocked.Exchange(ref _isArmed, 1) != 0) return;
        AppDomain.CurrentDomain.UnhandledException += static (_, unhandled) =>
        {
            if (Find(unhandled.ExceptionObject as Exception) is { } failure) End(failure);
        };
    }

    // The runtime would print the exception while it aborts the process; this ends it earlier and prints the message.
    private static void End(ClusterStartException failure)
    {
#pragma warning disable RS0030 // The last words of a process that nobody else speaks for.
        Console.Error.WriteLine(failure.Message);
#pragma warning restore RS0030
        Environment.Exit((int)failure.ExitCode);
    }

    private static ClusterStartException? Find(Exception? exception)
    {
        for (var next = exception; next is not null; next = next.InnerException)
        {
            if (next is ClusterStartException failure) return failure;
        }

        return null;
    }
}
