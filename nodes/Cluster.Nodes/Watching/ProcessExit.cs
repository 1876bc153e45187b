using Cluster.Glue;

namespace Cluster.Nodes.Watching;

/// <summary>The exit code of this process. It is set when the node ends in an unusual way, so that a supervisor sees it
/// although the program's own code ends in order. Tests that run several nodes in one process replace it.</summary>
/// <param name="set">Sets the exit code.</param>
internal sealed class ProcessExit(Action<int> set)
{
    private static int _isArmed;
    private static volatile int _ended;

    /// <summary>The exit code of the real process.</summary>
    public static ProcessExit OfThisProcess { get; } = new(static code => Environment.ExitCode = _ended = code);

    public void Set(ClusterExitCode code) => set((int)code);

    /// <summary>Makes a process that ends with an uncaught <see cref="ClusterStartException"/> use the exit code of the
    /// exception. Otherwise the runtime aborts the process, and a supervisor cannot see the reason. The same holds for
    /// a Glue listener that finds its port in use, and for a host whose start is cancelled because its node has ended.
    /// Idempotent.</summary>
    public static void ArmForStartFailures()
    {
        if (Interlocked.Exchange(ref _isArmed, 1) != 0)
            return;
        AppDomain.CurrentDomain.UnhandledException += static (_, unhandled) =>
        {
            if (Find(unhandled.ExceptionObject as Exception) is var (code, message))
                End(code, message);
        };
    }

    // The runtime would print the exception and abort the process. This code ends the process earlier and prints the
    // message.
    private static void End(int code, string message)
    {
#pragma warning disable RS0030 // The last words of a process that nobody else speaks for.
        Console.Error.WriteLine(message);
#pragma warning restore RS0030
        Environment.Exit(code);
    }

    private static (int Code, string Message)? Find(Exception? exception)
    {
        for (var next = exception; next is not null; next = next.InnerException)
        {
            switch (next)
            {
                case ClusterStartException failure:
                    return ((int)failure.ExitCode, failure.Message);
                case GlueListenException failure:
                    return ((int)ClusterExitCode.PortUnusable, failure.Message);
                case OperationCanceledException when _ended != 0:
                    return (_ended, $"The start was cancelled, because the node of this process has ended: "
                        + $"{(ClusterExitCode)_ended}. The log says why; start it again when that is mended.");
            }
        }

        return null;
    }
}
