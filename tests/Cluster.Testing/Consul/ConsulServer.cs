using System.Net.Http.Json;
using System.Text.Json;

namespace Cluster.Testing.Consul;

/// <summary>A real Consul server on free loopback ports with its own data folder. It can be stopped and started again
/// with the same ports and data. Owned by one test or one collection of tests; disposal stops its process and deletes
/// its data.</summary>
public sealed class ConsulServer : IAsyncDisposable
{
    private static readonly TimeSpan StartBound = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("consul-").FullName;
    private readonly int[] _ports;
    private readonly ConsulSeat _seat;
    private readonly ConsulAccess _access;
    private readonly ConsulCertificates? _certificates;
    private readonly HttpClient _http;
    private ChildProcess? _process;

    private ConsulServer(
        int[] ports, ConsulSeat seat, ConsulAccess access, ConsulCertificates? certificates = null)
    {
        _certificates = certificates;
        (_ports, _seat, _access) = (ports, seat, access);
        Address = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{_ports[0]}");
        _http = new HttpClient { BaseAddress = new Uri(Address), Timeout = TimeSpan.FromSeconds(10) };
        if (access == ConsulAccess.TokenRequired)
            _http.DefaultRequestHeaders.Add("X-Consul-Token", MasterToken);
    }

    /// <summary>The address of the server's HTTP interface.</summary>
    public string Address { get; }

    /// <summary>The address of its https interface; needs <see cref="ConsulAccess.CertificateRequired"/>.</summary>
    public string SecureAddress => Invariant($"https://127.0.0.1:{_ports[3]}");

    /// <summary>The token that allows everything; needed with <see cref="ConsulAccess.TokenRequired"/>.</summary>
    public string MasterToken { get; } = Guid.NewGuid().ToString();

    /// <summary>The process, so that a test can pause or kill it.</summary>
    public ChildProcess Process => _process ?? throw new InvalidOperationException("The Consul server is stopped.");

    /// <summary>Whether the server is started.</summary>
    public bool IsRunning => _process is not null;

    /// <summary>Where the other servers reach it.</summary>
    public string ServerAddress => Invariant($"127.0.0.1:{_ports[1]}");

    /// <summary>The output of the server since its last start.</summary>
    public string Output => _process?.Output ?? "";

    /// <summary>Starts a server and waits until it is its own leader.</summary>
    /// <param name="access">Whether the server requires a token.</param>
    /// <param name="certificates">What it shows with <see cref="ConsulAccess.CertificateRequired"/>.</param>
    public static async Task<ConsulServer> StartAsync(
        ConsulAccess access = ConsulAccess.Open, ConsulCertificates? certificates = null)
    {
        var server = new ConsulServer(FreePorts.Take(4), ConsulSeat.Alone, access, certificates);
        try
        {
            await server.StartAgainAsync();
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Makes a server of a group, which the group starts.</summary>
    /// <param name="ports">Its ports: for HTTP, for the other servers, and for finding them.</param>
    /// <param name="seat">Its place in the group.</param>
    internal static ConsulServer Create(int[] ports, ConsulSeat seat) => new(ports, seat, ConsulAccess.Open);

    /// <summary>Starts the server again after <see cref="StopAsync"/>, with the same ports and data.</summary>
    public async Task StartAgainAsync()
    {
        if (_process is not null)
            throw new InvalidOperationException("The Consul server runs already.");
        var program = ConsulBinary.Find() ?? throw new InvalidOperationException(ConsulBinary.Missing);
        _process = ChildProcess.Start(program, Arguments());
        try
        {
            await Eventually.TrueAsync(async () => _process.HasExited || await IsReadyAsync(), StartBound);
        }
        catch (Xunit.Sdk.XunitException)
        {
            // The exception below contains the server's output.
        }

        if (_process.HasExited || !await IsReadyAsync())
            throw new Xunit.Sdk.XunitException($"Consul at {Address} did not start:{Environment.NewLine}{Output}");
    }

    /// <summary>Stops the server at once, as a crash would. Its data stay.</summary>
    public async Task StopAsync()
    {
        if (_process is null)
            return;
        await _process.DisposeAsync();
        _process = null;
    }

    /// <summary>Sends a GET request, as an operator would.</summary>
    /// <param name="path">Path and query, beginning with <c>/v1/</c>.</param>
    public async Task<JsonElement> GetAsync(string path) => await _http.GetFromJsonAsync<JsonElement>(path);

    /// <summary>Sends a PUT request, as an operator would.</summary>
    /// <param name="path">Path and query, beginning with <c>/v1/</c>.</param>
    /// <param name="body">The body of the request.</param>
    /// <returns>The text of the answer.</returns>
    public async Task<string> PutAsync(string path, string body = "")
    {
        using var content = new StringContent(body);
        using var response = await _http.PutAsync(path, content);
        response.EnsureSuccessStatusCode();
        return await response.Content.ReadAsStringAsync();
    }

    /// <summary>Saves what Consul contains, as an operator would.</summary>
    public Task<byte[]> SaveSnapshotAsync() => _http.GetByteArrayAsync("/v1/snapshot");

    /// <summary>Puts back what Consul contained, as an operator would.</summary>
    /// <param name="snapshot">What <see cref="SaveSnapshotAsync"/> returned.</param>
    public async Task RestoreSnapshotAsync(byte[] snapshot)
    {
        using var content = new ByteArrayContent(snapshot);
        using var response = await _http.PutAsync("/v1/snapshot", content);
        response.EnsureSuccessStatusCode();
    }

    /// <summary>Removes keys, as an operator would.</summary>
    /// <param name="prefix">The beginning of the keys.</param>
    public async Task DeleteKeysAsync(string prefix)
    {
        using var response = await _http.DeleteAsync($"/v1/kv/{prefix}?recurse");
        response.EnsureSuccessStatusCode();
    }

    /// <summary>Removes what the agent keeps of the services that were registered with it. The server is
    /// stopped.</summary>
    public void ForgetServices()
    {
        foreach (var kept in (string[])["services", "checks"])
            Directory.Delete(Path.Combine(_folder, kept), recursive: true);
    }

    /// <summary>Removes all data, so that the server starts empty. The server is stopped.</summary>
    public void ForgetEverything()
    {
        if (Directory.Exists(_folder))
            Directory.Delete(_folder, recursive: true);
    }

    /// <summary>Stops the server and removes its data. Idempotent.</summary>
    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _http.Dispose();
        ForgetEverything();
    }

    private string[] Arguments()
    {
        string[] ports =
        [
            Invariant($"-http-port={_ports[0]}"), Invariant($"-server-port={_ports[1]}"),
            Invariant($"-serf-lan-port={_ports[2]}"), "-serf-wan-port=-1", "-dns-port=-1", "-grpc-port=-1",
        ];
        string[] access = _access switch
        {
            ConsulAccess.TokenRequired =>
                ["-hcl", $$"""acl { enabled = true default_policy = "deny" tokens { master = "{{MasterToken}}" agent = "{{MasterToken}}" } }"""],
            ConsulAccess.CertificateRequired =>
            [
                Invariant($"-https-port={_ports[3]}"), "-hcl",
                $"""ca_file = "{_certificates!.Authority}" cert_file = "{_certificates.Certificate}" key_file = "{_certificates.Key}" verify_incoming_https = true""",
            ],
            _ => [],
        };
        return
        [
            "agent", "-server", .. _seat.Arguments, $"-data-dir={_folder}", "-bind=127.0.0.1", "-client=127.0.0.1", .. ports, "-hcl", "performance { raft_multiplier = 1 }", .. access,
        ];
    }

    private async ValueTask<bool> IsReadyAsync()
    {
        try
        {
            var leader = await GetAsync("/v1/status/leader");
            if (string.IsNullOrEmpty(leader.GetString()))
                return false;

            // The leader registers the check of its own machine last, and sessions need that check.
            var checks = await GetAsync($"/v1/health/node/{_seat.Name}");
            return checks.EnumerateArray().Any(check => check.GetProperty("Status").GetString() == "passing");
        }
        catch (Exception failure) when (failure is HttpRequestException or TaskCanceledException or JsonException)
        {
            return false;
        }
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
