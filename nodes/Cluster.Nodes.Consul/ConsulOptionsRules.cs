using Cluster.Nodes.Consul.Client;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Consul;

/// <summary>Finds every problem of the Consul options at once. It takes part in the check of the cluster's own options,
/// so that a user sees all problems of both together. Stateless but for the options.</summary>
internal sealed class ConsulOptionsRules(IOptions<ConsulOptions> consul) : IValidateOptions<ClusterOptions>
{
    public const int TokenLengthMax = 4_096;

    public ValidateOptionsResult Validate(string? name, ClusterOptions options)
    {
        string[] problems = [.. FindProblems(consul.Value)];
        return problems.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }

    public static IEnumerable<string> FindProblems(ConsulOptions options)
    {
        if (!IsAgentAddress(options.Address))
        {
            yield return $"{ConsulOptions.SectionName}:{nameof(options.Address)} is '{options.Address}', but must be "
                + $"http:// or https:// with a host and a port, such as {ConsulOptions.AddressDefault}.";
        }

        // The token itself is a secret, so the message tells what is wrong without showing it.
        if (options.Token is { } token && !IsHeaderText(token))
        {
            yield return $"{ConsulOptions.SectionName}:{nameof(options.Token)} must be 1 to {TokenLengthMax} "
                + "printable ASCII characters without blanks; leave it out where Consul asks for no token.";
        }

        if (options is { Token: not null, AllowTokenOverHttp: false } && IsPlainHttpElsewhere(options.Address))
        {
            yield return $"{ConsulOptions.SectionName}:{nameof(options.Token)} is set and "
                + $"{ConsulOptions.SectionName}:{nameof(options.Address)} is '{options.Address}', so the token would "
                + "travel readable for everybody on the way. Use https, or the Consul agent of this machine "
                + $"({ConsulOptions.AddressDefault}); where the network itself is trusted, set "
                + $"{ConsulOptions.SectionName}:{nameof(options.AllowTokenOverHttp)} to true.";
        }

        if ((options.AuthorityFile ?? options.CertificateFile) is not null && !IsHttps(options.Address))
        {
            yield return $"{ConsulOptions.SectionName} names certificates ({nameof(options.AuthorityFile)} or "
                + $"{nameof(options.CertificateFile)}), and {nameof(options.Address)} is '{options.Address}', which "
                + "uses none. Give the https address of the agent, such as https://127.0.0.1:8501.";
        }

        foreach (var problem in ConsulTls.FindProblems(options))
            yield return problem;
    }

    private static bool IsHttps(string? address) =>
        Uri.TryCreate(address, UriKind.Absolute, out var uri) && uri.Scheme == Uri.UriSchemeHttps;

    private static bool IsPlainHttpElsewhere(string? address) =>
        Uri.TryCreate(address, UriKind.Absolute, out var uri) && uri.Scheme == Uri.UriSchemeHttp && !uri.IsLoopback;

    private static bool IsAgentAddress(string? address) =>
        Uri.TryCreate(address, UriKind.Absolute, out var uri)
        && (uri.Scheme == Uri.UriSchemeHttp || uri.Scheme == Uri.UriSchemeHttps)
        && uri.AbsolutePath == "/"
        && string.IsNullOrEmpty(uri.Query + uri.Fragment + uri.UserInfo);

    private static bool IsHeaderText(string token) =>
        token.Length is > 0 and <= TokenLengthMax && token.All(c => c is > ' ' and <= '~');
}
