namespace Shop.Drive.Supervision;

/// <summary>Stops and continues a process from outside, as an operator's <c>kill -STOP</c> does. Stateless.</summary>
internal static class ProcessPause
{
    // The numbers of SIGSTOP and SIGCONT.
    private const int StopOnLinux = 19;
    private const int ContinueOnLinux = 18;
    private const int StopElsewhere = 17;
    private const int ContinueElsewhere = 19;

    /// <summary>Whether this system can stop a process.</summary>
    public static bool IsSupported => !OperatingSystem.IsWindows();

    /// <summary>Stops a process.</summary>
    public static void Stop(int process) => Send(process, OperatingSystem.IsLinux() ? StopOnLinux : StopElsewhere);

    /// <summary>Lets a stopped process go on.</summary>
    public static void Continue(int process) =>
        Send(process, OperatingSystem.IsLinux() ? ContinueOnLinux : ContinueElsewhere);

    // It fails where the process has ended, and then there is nothing to do.
    private static void Send(int process, int signal) => _ = Kill(process, signal);

    [DllImport("libc", EntryPoint = "kill")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Kill(int process, int signal);
}
