using System.CommandLine;
using Cluster.Nodes.Consul;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;
using Microsoft.Extensions.Logging.Abstractions;

namespace Cluster.NodeHost;

/// <summary>The options that say which store of which cluster a command works on. Immutable.</summary>
internal sealed class StoreChoice(TimeProvider time)
{
    /// <summary>The environment variable with the token for Consul.</summary>
    public const string TokenVariable = "CONSUL_HTTP_TOKEN";

    // The variables that Consul's own program reads.
    private const string AuthorityVariable = "CONSUL_CACERT";
    private const string CertificateVariable = "CONSUL_CLIENT_CERT";
    private const string KeyVariable = "CONSUL_CLIENT_KEY";

    private readonly Option<string> _name = new("--name")
    {
        Description = "The cluster's name.",
        HelpName = "NAME",
        Required = true,
    };

    private readonly Option<string?> _folder = new("--folder")
    {
        Description = "The folder of the cluster's file store, as UseFileStore has it.",
        HelpName = "FOLDER",
    };

    private readonly Option<string?> _consul = new("--consul")
    {
        Description = "The address of Consul, such as http://127.0.0.1:8500. Its token and the files for https are "
            + "taken from the environment variables of Consul's own program: "
            + $"{TokenVariable}, {AuthorityVariable}, {CertificateVariable} and {KeyVariable}.",
        HelpName = "ADDRESS",
    };

    /// <summary>Adds the options to a command.</summary>
    public Command AddTo(Command command)
    {
        command.Options.Add(_name);
        command.Options.Add(_folder);
        command.Options.Add(_consul);
        return command;
    }

    /// <summary>The name of the cluster.</summary>
    public string NameOf(ParseResult parsed) => parsed.GetRequiredValue(_name);

    /// <summary>Opens the store that the operator has named.</summary>
    /// <exception cref="OperatorException">The options do not name exactly one store.</exception>
    public IRestorableClusterStore Open(ParseResult parsed)
    {
        var name = NameOf(parsed);
        try
        {
            return (parsed.GetValue(_folder), parsed.GetValue(_consul)) switch
            {
                ({ } folder, null) => new FileClusterStore(folder, name, time),
                (null, { } address) => ConsulClusterStore.Create(
                    name,
                    new ConsulOptions
                    {
                        Address = address,
                        Token = Environment.GetEnvironmentVariable(TokenVariable),
                        AuthorityFile = Environment.GetEnvironmentVariable(AuthorityVariable),
                        CertificateFile = Environment.GetEnvironmentVariable(CertificateVariable),
                        KeyFile = Environment.GetEnvironmentVariable(KeyVariable),
                    },
                    time,
                    NullLoggerFactory.Instance),
                _ => throw new OperatorException(
                    OperatorExitCode.Usage, "Name exactly one store: --folder FOLDER or --consul ADDRESS."),
            };
        }
        catch (ArgumentException failure)
        {
            throw new OperatorException(OperatorExitCode.Usage, failure.Message);
        }
    }
}
