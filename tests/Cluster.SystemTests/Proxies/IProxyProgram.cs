using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>One of the programs that tests start in front of servers.</summary>
internal interface IProxyProgram
{
    /// <summary>The file to run.</summary>
    string Path { get; }

    /// <summary>The text of its configuration.</summary>
    /// <param name="plan">What it is to do.</param>
    /// <param name="folder">The only folder that it may write to; holds <c>tls.pem</c>, certificate and key.</param>
    string ConfigurationOf(ProxyPlan plan, string folder);

    /// <summary>What tells its master to read the configuration again and to replace its worker.</summary>
    ProcessSignal ReloadSignal { get; }

    /// <summary>Its arguments: its master stays in the foreground.</summary>
    /// <param name="file">With the configuration.</param>
    /// <param name="folder">The only folder that it may write to.</param>
    IEnumerable<string> ArgumentsOf(string file, string folder);
}
