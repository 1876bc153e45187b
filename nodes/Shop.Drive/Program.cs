using System.CommandLine;
using System.CommandLine.Invocation;
using Cluster.Nodes;
using Shop.Drive;
using Shop.Drive.CommandLine;
using Shop.Drive.Front;

var console = new ShopConsole();
var command = new ShopCommand();
command.Root.SetAction(_ => ShopExitCode.Success);
var parsed = command.Root.Parse(args);
if (parsed.Action != command.Root.Action && parsed.Action is not ParseErrorAction)
    return await parsed.InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null });

var (options, problems) = ShopOptionsReader.Read(command, parsed);
if (options is null)
{
    foreach (var problem in problems)
        await console.Error.WriteLineAsync(problem);

    await console.Error.WriteLineAsync("Try --help.");
    return ShopExitCode.Usage;
}

using var stop = new CancellationTokenSource();
using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
try
{
    return await new ShopRun(options, console, TimeProvider.System).RunAsync(stop.Token);
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    return ShopExitCode.Success;
}
catch (ShopStartException failure)
{
    await console.Error.WriteLineAsync(failure.Message);
    return failure.ExitCode;
}
catch (ClusterStartException failure)
{
    await console.Error.WriteLineAsync(failure.Message);
    return (int)failure.ExitCode;
}

void Stop(PosixSignalContext signal)
{
    signal.Cancel = true;
    stop.Cancel();
}
