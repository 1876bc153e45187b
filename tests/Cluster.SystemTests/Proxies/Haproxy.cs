using Cluster.Testing;

namespace Cluster.SystemTests.Proxies;

/// <summary>Runs haproxy as a master and one worker without privileges. Stateless.</summary>
internal sealed class Haproxy : IProxyProgram
{
    public string Path => "/usr/sbin/haproxy";

    public string ConfigurationOf(ProxyPlan plan, string folder)
    {
        var isHttp = plan.Mode != ProxyMode.PassesThrough;
        var protocol = plan.Mode switch
        {
            ProxyMode.Plain => " proto h2",
            ProxyMode.EndsTls => $" ssl crt {folder}/tls.pem alpn h2",
            _ => "",
        };
        var servers = string.Join(
            $"{Environment.NewLine}    ",
            plan.BackendPorts.Select(port => $"server at{port} 127.0.0.1:{port}{(isHttp ? " proto h2" : "")}"));
        return $"""
            global
                maxconn 1024
                hard-stop-after 50ms
            defaults
                mode {(isHttp ? "http" : "tcp")}
                retries 0
                timeout connect 5s
                timeout client {plan.TimeoutText}
                timeout server {plan.TimeoutText}
            frontend callers
                bind 127.0.0.1:{plan.Port}{protocol}
                default_backend glue
            backend glue
                balance {(plan.IsSticky ? "source" : "roundrobin")}
                {servers}

            """;
    }

    public IEnumerable<string> ArgumentsOf(string file, string folder) => ["-W", "-db", "-f", file];

    public ProcessSignal ReloadSignal => ProcessSignal.User2;
}
