using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>A real proxy on a free loopback port, with its own folder. It can be reloaded, or killed and started again.
/// Owned by one test; disposal kills its process and deletes its folder.</summary>
internal sealed class ReverseProxy : IAsyncDisposable
{
    private static readonly TimeSpan StartBound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan SignalWaitBudget = TimeSpan.FromSeconds(5);

    private readonly IProxyProgram _program;
    private readonly ProxyPlan _plan;
    private readonly string _folder = Directory.CreateTempSubdirectory("glue-proxy-").FullName;
    private ChildProcess? _process;

    private ReverseProxy(IProxyProgram program, ProxyPlan plan)
    {
        _program = program;
        _plan = plan;
    }

    /// <summary>The address at which callers reach the server behind the proxy.</summary>
    public string Address => FormattableString.Invariant(
        $"{(_plan.Mode == ProxyMode.Plain ? "http" : "https")}://127.0.0.1:{_plan.Port}");

    /// <summary>The output of the proxy since its last start.</summary>
    public string Output => _process?.Output ?? "";

    /// <summary>Starts a proxy and waits until it accepts connections.</summary>
    /// <param name="program">The proxy program.</param>
    /// <param name="plan">The settings of the proxy.</param>
    /// <param name="certificate">The certificate of a proxy that ends TLS.</param>
    public static async Task<ReverseProxy> StartAsync(
        IProxyProgram program, ProxyPlan plan, X509Certificate2? certificate = null)
    {
        var proxy = new ReverseProxy(program, plan);
        try
        {
            await proxy.WriteAsync(certificate);
            await proxy.StartAgainAsync();
            return proxy;
        }
        catch
        {
            await proxy.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts the proxy on the same port again, after <see cref="KillAsync"/>.</summary>
    public async Task StartAgainAsync()
    {
        _process = ChildProcess.Start(_program.Path, _program.ArgumentsOf(ConfigurationFile, _folder));
        await Eventually.TrueAsync(async () => _process.HasExited || await TakesConnectionsAsync(), StartBound);
        if (_process.HasExited)
            throw new Xunit.Sdk.XunitException($"{_process.Command} did not start:{Environment.NewLine}{Output}");
    }

    /// <summary>Reloads the proxy as operators do: the port keeps accepting connections, and a new worker replaces the
    /// old one, which ends together with its connections.</summary>
    public async Task ReloadAsync()
    {
        var before = Workers;
        _process!.Send(_program.ReloadSignal);
        var sent = Stopwatch.GetTimestamp();
        await Eventually.TrueAsync(
            () =>
            {
                // For a moment, the old and the new worker may both exist.
                if (Workers is { Length: > 0 } now && !now.Split(' ').Intersect(before.Split(' ')).Any())
                    return true;
                // A proxy that is still busy with the previous reload loses the signal, so it is sent again.
                if (Stopwatch.GetElapsedTime(sent) > SignalWaitBudget)
                {
                    _process.Send(_program.ReloadSignal);
                    sent = Stopwatch.GetTimestamp();
                }

                return false;
            },
            StartBound,
            "other workers have replaced all the old ones");
    }

    /// <summary>Kills the proxy at once, as a crash would.</summary>
    public async Task KillAsync()
    {
        if (_process is not null)
            await _process.DisposeAsync();
        _process = null;
    }

    public async ValueTask DisposeAsync()
    {
        await KillAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private string Workers => File.ReadAllText($"/proc/{_process!.Id}/task/{_process.Id}/children").Trim();

    private string ConfigurationFile => Path.Combine(_folder, "proxy.conf");

    private async Task WriteAsync(X509Certificate2? certificate)
    {
        if (certificate is not null)
        {
            using var key = certificate.GetECDsaPrivateKey()!;
            await File.WriteAllTextAsync(
                Path.Combine(_folder, "tls.pem"),
                $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
        }

        await File.WriteAllTextAsync(ConfigurationFile, _program.ConfigurationOf(_plan, _folder));
    }

    private async ValueTask<bool> TakesConnectionsAsync()
    {
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync("127.0.0.1", _plan.Port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
