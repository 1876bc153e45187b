using System.ComponentModel;

namespace Cluster.Testing;

/// <summary>Sends signals by process id through the C library. Stateless.</summary>
internal static class PosixSignals
{
    public static void Send(int processId, ProcessSignal signal)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new PlatformNotSupportedException(
                "Windows has no POSIX signals; guard the test with RequiresUnixFact.");
        }

        // Zero and negative ids address whole process groups. A signal must not reach them by mistake.
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(processId);
        if (Kill(processId, NumberOf(signal)) != 0)
            throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    /// <summary>Whether all threads of a process have stopped. Assumes so on systems that do not show it, such as
    /// macOS.</summary>
    public static bool IsStopped(int processId)
    {
        var tasks = $"/proc/{processId}/task";
        return !Directory.Exists(tasks) || Directory.EnumerateDirectories(tasks).All(IsThreadStopped);
    }

    private static bool IsThreadStopped(string task)
    {
        try
        {
            // The state comes after the name. The name is in parentheses and may contain any character.
            var stat = File.ReadAllText(Path.Combine(task, "stat"));
            return stat[stat.LastIndexOf(')') + 2] is 'T' or 't' or 'Z' or 'X';
        }
        catch (IOException)
        {
            return true;
        }
    }

    // The enum has Linux's numbers. On macOS, the numbers of stop and continue differ.
    private static int NumberOf(ProcessSignal signal) => signal switch
    {
        ProcessSignal.Pause when OperatingSystem.IsMacOS() => 17,
        ProcessSignal.Resume when OperatingSystem.IsMacOS() => 19,
        _ => (int)signal,
    };

    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int processId, int signal);
}
