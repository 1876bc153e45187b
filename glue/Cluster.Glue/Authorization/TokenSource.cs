using Cluster.Glue.Faults;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Authorization;

/// <summary>The bearer tokens of one client: asks the provider of its options, and refuses to send tokens where others
/// can read them. Immutable.</summary>
internal sealed class TokenSource(Func<Uri, CancellationToken, ValueTask<string?>>? provider, bool allowInsecure)
{
    private const string Option = "GlueClientOptions.AccessTokenProvider";

    public bool IsSet => provider is not null;

    /// <summary>Whether nobody on the way can read a message to the address, or the options allow that.</summary>
    public bool MaySendTo(Uri address) =>
        allowInsecure || address.Scheme is "https" or AddressScheme.Unix or AddressScheme.InProcess
            || address.IsLoopback;

    /// <summary>The error of a call with a token to an address where others could read it.</summary>
    public static GlueException Insecure(string address) => GlueErrors.NotDelivered(
        GlueErrorKind.Refused,
        GlueErrorCode.NotAuthenticated,
        $"A bearer token is not sent to {address}, where others could read it; nothing was sent. Use an https:// "
        + "address. In a network that you trust, set GlueClientOptions.AllowInsecure.");

    /// <summary>The token for an address; null: none is to be sent.</summary>
    /// <exception cref="GlueException">The provider failed, or the address is not safe.</exception>
    [SuppressMessage("Design", "CA1031", Justification = "Whatever the provider throws becomes a typed failure.")]
    public async ValueTask<string?> GetAsync(Uri address, CancellationToken cancellationToken)
    {
        if (provider is null)
            return null;
        if (!MaySendTo(address))
            throw Insecure(address.ToString());
        string? token;
        try
        {
            token = await provider(address, cancellationToken).AsTask().WaitAsync(cancellationToken)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw;
        }
        catch (Exception exception)
        {
            throw Failed($"{Option} failed for {address}: {exception.Message}", exception);
        }

        return token is null || BearerToken.IsToken(token) ? token : throw Failed(BearerToken.ProblemOf(Option), null);
    }

    private static GlueException Failed(string message, Exception? cause) =>
        GlueErrors.NotDelivered(GlueErrorKind.Refused, GlueErrorCode.NotAuthenticated, message, cause);
}
