using System.Net.ServerSentEvents;
using Shop.Drive.Front;
using Shop.Drive.Supervision;

namespace Shop.Drive.Web;

/// <summary>The web page of the shop: one embedded file, the figures as a stream of events and as one JSON object, and
/// requests that kill, pause or restart nodes. It listens on loopback only. A control request needs a header that the
/// page of another site cannot send. Keeps no state but the embedded file.</summary>
internal sealed class ShopPage(FiguresSampler sampler, INodeControl control, TimeProvider time)
{
    public const string ControlHeader = "X-Shop-Control";

    public static readonly string[] HostsAllowed = ["localhost", "127.0.0.1", "[::1]"];

    private const string FileName = "index.html";
    private readonly byte[] _html = ReadHtml();

    public void Map(IEndpointRouteBuilder endpoints)
    {
        endpoints.MapGet("/", () => TypedResults.Bytes(_html, "text/html; charset=utf-8"));
        endpoints.MapGet("/figures", () => TypedResults.Json(sampler.Current, ShopJson.Default.ShopFigures));
        endpoints.MapGet("/events", (CancellationToken gone) => TypedResults.ServerSentEvents(FollowAsync(gone)));
        var nodes = endpoints.MapGroup("/nodes").AddEndpointFilter(RequireControlHeaderAsync);
        nodes.MapPost("/{name}/kill", (string name) => Answer(control.Kill(name)));
        nodes.MapPost("/{name}/restart", (string name) => Answer(control.Restart(name)));
        nodes.MapPost("/{name}/pause", (string name) => Answer(control.Pause(name)));
        nodes.MapPost("/restart", () => Results.StatusCode(
            control.RestartAll() ? StatusCodes.Status204NoContent : StatusCodes.Status409Conflict));
    }

    private static IResult Answer(string? node) => node is null ? TypedResults.NotFound() : TypedResults.NoContent();

    private static async ValueTask<object?> RequireControlHeaderAsync(
        EndpointFilterInvocationContext context, EndpointFilterDelegate next) =>
        context.HttpContext.Request.Headers.ContainsKey(ControlHeader)
            ? await next(context).ConfigureAwait(false)
            : TypedResults.StatusCode(StatusCodes.Status403Forbidden);

    private static byte[] ReadHtml()
    {
        using var resource = typeof(ShopPage).Assembly.GetManifestResourceStream(FileName)
            ?? throw new InvalidDataException($"The assembly lacks its page {FileName}.");
        using var copy = new MemoryStream();
        resource.CopyTo(copy);
        return copy.ToArray();
    }

    private async IAsyncEnumerable<SseItem<string>> FollowAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(FiguresSampler.Interval, time);
        do
        {
            yield return new SseItem<string>(ToJson(sampler.Current));
        }
        while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false));
    }

    private static string ToJson(ShopFigures figures) =>
        System.Text.Json.JsonSerializer.Serialize(figures, ShopJson.Default.ShopFigures);
}
