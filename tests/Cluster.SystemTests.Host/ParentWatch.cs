using Microsoft.Extensions.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>Ends this process when its parent process ends, even if the parent is killed: the parent holds the other
/// end of standard input. Does what the parent writes there. Owned by the program; its state needs no
/// protection.</summary>
internal sealed class ParentWatch : IDisposable
{
    private readonly StreamReader _input = new(Console.OpenStandardInput());

    // A read of standard input blocks its thread, and would take one of the pool.
    public ParentWatch(IHostApplicationLifetime lifetime, HostCommands commands) =>
        new Thread(() => Watch(lifetime, commands)) { IsBackground = true, Name = "parent watch" }.Start();

    public void Dispose() => _input.Dispose();

    private void Watch(IHostApplicationLifetime lifetime, HostCommands commands)
    {
        while (_input.ReadLine() is { } line)
            commands.Obey(line);
        lifetime.StopApplication();
    }
}
