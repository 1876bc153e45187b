using System.Net.Http.Headers;
using Cluster.Glue.Faults;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Throws when an HTTP answer is not an answer of gRPC: it has another HTTP status or media type. The gRPC
/// client would turn it into a gRPC status that looks like one from the server. Stateless.</summary>
internal sealed class HttpAnswerCheck(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    private const string StatusHeader = "grpc-status";
    private const string MediaType = "application/grpc";

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var response = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        if (ProblemOf(response) is not { } problem)
            return response;
        response.Dispose();
        throw problem;
    }

    private static GrpcStatusException? ProblemOf(HttpResponseMessage response)
    {
        // An answer without messages has its gRPC status in the headers, whatever the HTTP status is.
        if (response.Headers.NonValidated.Contains(StatusHeader))
            return null;
        var code = (int)response.StatusCode;
        if (response.StatusCode != HttpStatusCode.OK)
        {
            return new GrpcStatusException(GrpcStatuses.OfHttp(code), $"the server answered HTTP {code}")
            {
                HttpStatus = code,
            };
        }

        var mediaType = response.Content.Headers.ContentType is MediaTypeHeaderValue { MediaType: { } found }
            ? found
            : "";
        if (mediaType.StartsWith(MediaType, StringComparison.OrdinalIgnoreCase))
            return null;
        return new GrpcStatusException(
            StatusCode.Unknown, $"the server answered with content type '{LogText.Clean(mediaType)}'")
        {
            HttpStatus = code,
        };
    }
}
