using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>A proxy program that tests start in front of servers.</summary>
internal interface IProxyProgram
{
    /// <summary>The path of the program.</summary>
    string Path { get; }

    /// <summary>Returns the text of the configuration.</summary>
    /// <param name="plan">The plan of the proxy.</param>
    /// <param name="folder">The only folder that the program may write to. It contains <c>tls.pem</c> with certificate
    /// and key.</param>
    string ConfigurationOf(ProxyPlan plan, string folder);

    /// <summary>The signal on which the master reads the configuration again and replaces its worker.</summary>
    ProcessSignal ReloadSignal { get; }

    /// <summary>Returns the program's arguments. They keep the master in the foreground.</summary>
    /// <param name="file">The file with the configuration.</param>
    /// <param name="folder">The only folder that the program may write to.</param>
    IEnumerable<string> ArgumentsOf(string file, string folder);
}
