using System.Net.Http.Headers;
using Cluster.Glue.Faults;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Throws where an HTTP answer is no answer of gRPC: another status, or another media type. gRPC's client
/// would make a status of it, and nobody could tell it from one that the server meant. Stateless.</summary>
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
        // An answer without messages has its status in the headers, whatever HTTP says.
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
