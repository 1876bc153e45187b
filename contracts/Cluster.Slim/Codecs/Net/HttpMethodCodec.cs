using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>The name. Those that the framework has objects for come back as these objects.</summary>
internal readonly struct HttpMethodCodec : ILeafCodec<HttpMethod>
{
    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, HttpMethod value) => writer.WriteString(value.Method);

    public static HttpMethod Read(SlimReader reader)
    {
        var name = reader.ReadString();
        try
        {
            var method = HttpMethod.Parse(name);

            // The framework finds its objects in either case of letters, but the name is as it was given.
            return method.Method == name ? method : new HttpMethod(name!);
        }
        catch (Exception e) when (e is ArgumentException or FormatException)
        {
            throw Throw.Failed("The name of a method of HTTP is not one.", e);
        }
    }
}
