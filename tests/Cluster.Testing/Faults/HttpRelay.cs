using System.Net.Http.Headers;

namespace Cluster.Testing.Faults;

/// <summary>A relay in front of servers that speak HTTP, such as those of Consul. A request goes to the first server
/// that takes it, as an agent would do; without a server, the answer is 500. A test lets the relay answer by itself, or drop requests. Owned by one test;
/// the fields that a test changes are volatile.</summary>
public sealed class HttpRelay : IAsyncDisposable
{
    // HttpClient counts these as headers of the body.
    private static readonly string[] OfBody = ["Content-Type", "Content-Length"];
    private static readonly string[] OfConnection = ["Host", "Connection", "Transfer-Encoding", "Keep-Alive"];

    private readonly HttpListener _listener = new();
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false })
    {
        Timeout = Timeout.InfiniteTimeSpan,
    };

    private readonly string[] _targets;
    private readonly CancellationTokenSource _end = new();
    private readonly Task _accepting;
    private volatile Func<string, int?>? _answer;
    private volatile bool _isDropping;
    private long _requests;

    /// <summary>Begins to listen on a free port.</summary>
    /// <param name="targets">The addresses of the servers.</param>
    public HttpRelay(params string[] targets)
    {
        _targets = targets;
        Address = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{FreePorts.Next()}");
        _listener.Prefixes.Add(Address + "/");
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The address of the relay.</summary>
    public string Address { get; }

    /// <summary>The requests so far.</summary>
    public long Requests => Volatile.Read(ref _requests);

    /// <summary>Answers requests by a status from now on, without the servers.</summary>
    /// <param name="answer">Returns the status for a path; null: the request passes.</param>
    public void Answer(Func<string, int?> answer) => _answer = answer;

    /// <summary>Lets requests pass again.</summary>
    public void Pass() => (_answer, _isDropping) = (null, false);

    /// <summary>Gives no answer to any request from now on, also not to those that wait for one.</summary>
    public void Drop() => _isDropping = true;

    /// <summary>Ends the relay.</summary>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        _listener.Close();
        await _accepting.ConfigureAwait(false);
        _http.Dispose();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = ServeAsync(await _listener.GetContextAsync().ConfigureAwait(false));
        }
        catch (Exception failure) when (failure is HttpListenerException or ObjectDisposedException)
        {
            // The end of the relay.
        }
    }

    private async Task ServeAsync(HttpListenerContext context)
    {
        Interlocked.Increment(ref _requests);
        try
        {
            if (_isDropping)
                return;
            if (_answer?.Invoke(context.Request.Url!.AbsolutePath) is { } status)
            {
                context.Response.StatusCode = status;
                context.Response.Close();
                return;
            }

            await ForwardAsync(context).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is HttpRequestException or HttpListenerException
            or OperationCanceledException or IOException or ObjectDisposedException or InvalidOperationException)
        {
            // No server answers, or the client is gone.
            TryAnswer(context, HttpStatusCode.InternalServerError);
        }
    }

    // As an agent does that finds no server. The listener cannot reset a connection: it would answer 200 first.
    private static void TryAnswer(HttpListenerContext context, HttpStatusCode status)
    {
        try
        {
            context.Response.StatusCode = (int)status;
            context.Response.Close();
        }
        catch (Exception failure) when (failure is HttpListenerException or ObjectDisposedException
            or InvalidOperationException)
        {
            // The answer has begun, or the client is gone.
        }
    }

    private async Task ForwardAsync(HttpListenerContext context)
    {
        var body = new MemoryStream();
        await context.Request.InputStream.CopyToAsync(body, _end.Token).ConfigureAwait(false);
        using var answer = await SendAsync(context.Request, body.ToArray()).ConfigureAwait(false);
        var content = await answer.Content.ReadAsByteArrayAsync(_end.Token).ConfigureAwait(false);
        if (_isDropping)
            return;
        context.Response.StatusCode = (int)answer.StatusCode;
        foreach (var header in answer.Headers.Where(header => !OfConnection.Contains(header.Key)))
            context.Response.Headers[header.Key] = string.Join(',', header.Value);
        context.Response.ContentType = answer.Content.Headers.ContentType?.ToString();
        context.Response.ContentLength64 = content.Length;
        await context.Response.OutputStream.WriteAsync(content, _end.Token).ConfigureAwait(false);
        context.Response.Close();
    }

    // Only a server that refuses the connection has certainly done nothing.
    private async Task<HttpResponseMessage> SendAsync(HttpListenerRequest request, byte[] body)
    {
        for (var index = 0; ; index++)
        {
            try
            {
                using var message = Copy(request, body, _targets[index]);
                return await _http.SendAsync(message, _end.Token).ConfigureAwait(false);
            }
            catch (HttpRequestException failure)
                when (failure.HttpRequestError == HttpRequestError.ConnectionError && index + 1 < _targets.Length)
            {
                // The next server may take it.
            }
        }
    }

    private static HttpRequestMessage Copy(HttpListenerRequest request, byte[] body, string target)
    {
        var message = new HttpRequestMessage(new HttpMethod(request.HttpMethod), target + request.RawUrl);
        if (body.Length > 0)
        {
            message.Content = new ByteArrayContent(body);
            if (request.ContentType is { } type)
                message.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(type);
        }

        foreach (var name in request.Headers.AllKeys.OfType<string>().Except(OfBody).Except(OfConnection))
            message.Headers.TryAddWithoutValidation(name, request.Headers[name]);
        return message;
    }
}
