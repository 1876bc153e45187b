using System.CommandLine;
using Cluster.Nodes;
using Cluster.Nodes.Stores;

namespace Cluster.NodeHost;

/// <summary>The command line of the program: which verbs there are, and what each of them needs. Immutable.</summary>
internal sealed class ClusterCommand
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(30);

    private readonly OperatorConsole _console;
    private readonly TimeProvider _time;
    private readonly StoreChoice _store;
    private readonly TableVerbs _verbs;
    private readonly RootCommand _root = new("Looks after the table of a cluster, in the cluster's store itself.");
    private readonly Option<bool> _yes = new("--yes") { Description = "Really do it. Without it nothing is changed." };
    private readonly Option<string?> _log = new("--log")
    {
        Description = "Append the log entry to this file as well.",
        HelpName = "FILE",
    };

    public ClusterCommand(OperatorConsole console, TimeProvider time)
    {
        _console = console;
        _time = time;
        _store = new StoreChoice(time);
        _verbs = new TableVerbs(console, new OperatorLog(console, time), time);
        _root.Subcommands.Add(new Command("table", "The table: who is a member, who owns which partition.")
        {
            CreateExport(), CreateImport(),
        });
        _root.Subcommands.Add(new Command("member", "The members of the cluster.") { CreateDead() });
    }

    /// <summary>Runs a command line.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(string[] args)
    {
        var parsed = _root.Parse(args);
        if (parsed.Errors.Count > 0)
        {
            foreach (var error in parsed.Errors)
                await _console.Error.WriteLineAsync(error.Message).ConfigureAwait(false);
            await _console.Error.WriteLineAsync("Try --help.").ConfigureAwait(false);
            return OperatorExitCode.Usage;
        }

        return await parsed.InvokeAsync(new InvocationConfiguration { Output = _console.Out, Error = _console.Error })
            .ConfigureAwait(false);
    }

    private Command CreateExport()
    {
        var to = new Option<string>("--to") { Description = "The file to write.", HelpName = "FILE", Required = true };
        var command = _store.AddTo(
            new Command("export", "Writes the cluster's properties and table into a file.") { to });
        command.SetAction((parsed, cancellation) => RunAsync(
            parsed, (store, token) => _verbs.ExportAsync(store, parsed.GetRequiredValue(to), token), cancellation));
        return command;
    }

    private Command CreateImport()
    {
        var from = new Option<string>("--from")
        {
            Description = "A file of 'cluster table export'; use the newest there is.",
            HelpName = "FILE",
            Required = true,
        };
        var command = _store.AddTo(
            new Command("import", "Puts an exported cluster back into a store that was emptied.") { from, _yes, _log });
        command.SetAction((parsed, cancellation) => RunAsync(
            parsed,
            async (store, token) =>
            {
                var file = await TableFile.ReadAsync(parsed.GetRequiredValue(from), _store.NameOf(parsed), token)
                    .ConfigureAwait(false);
                await _verbs.ImportAsync(store, file, ConsentOf(parsed), token).ConfigureAwait(false);
            },
            cancellation));
        return command;
    }

    private Command CreateDead()
    {
        var node = new Argument<string>("node")
        {
            Description = "The node's name, or the incarnation of one of its lives.",
        };
        var command = _store.AddTo(
            new Command("dead", "Declares that a node's process is gone, where nothing else can prove it.")
            {
                node, _yes, _log,
            });
        command.SetAction((parsed, cancellation) => RunAsync(
            parsed,
            (store, token) => _verbs.BuryAsync(store, parsed.GetRequiredValue(node), ConsentOf(parsed), token),
            cancellation));
        return command;
    }

    private OperatorConsent ConsentOf(ParseResult parsed) => new(parsed.GetValue(_yes), parsed.GetValue(_log));

    private async Task<int> RunAsync(
        ParseResult parsed,
        Func<IRestorableClusterStore, CancellationToken, Task> work,
        CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(Deadline, _time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            await using var store = _store.Open(parsed);
            await work(store, ended.Token).ConfigureAwait(false);
            return OperatorExitCode.Success;
        }
        catch (OperatorException failure)
        {
            await _console.Error.WriteLineAsync(failure.Message).ConfigureAwait(false);
            return failure.ExitCode;
        }
        catch (ClusterStoreException failure)
        {
            await _console.Error.WriteLineAsync(failure.Message).ConfigureAwait(false);
            return (int)CodeOf(failure.Kind);
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            await _console.Error.WriteLineAsync($"The store did not answer within {Deadline.TotalSeconds} s.")
                .ConfigureAwait(false);
            return (int)ClusterExitCode.StoreUnreachable;
        }
    }

    private static ClusterExitCode CodeOf(ClusterStoreError kind) => kind switch
    {
        ClusterStoreError.Denied => ClusterExitCode.StoreDenied,
        ClusterStoreError.Incompatible => ClusterExitCode.StoreIncompatible,
        ClusterStoreError.Unusable or ClusterStoreError.Emptied => ClusterExitCode.StoreUnusable,
        _ => ClusterExitCode.StoreUnreachable,
    };
}
